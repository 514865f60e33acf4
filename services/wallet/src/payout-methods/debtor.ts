/** The account from which a bank pays. */
export interface Debtor {
  name: string;
  iban: string;
  bic: string;
}
