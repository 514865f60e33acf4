import { localized } from '@tutoring/shared/kit/language/localized';
import en from '../texts/en.json' with { type: 'json' };
import fr from '../texts/fr.json' with { type: 'json' };

/** Texts in the answers and pages of this service. */
export const texts = localized({ en, fr });

/** Texts that are stored, in English: in the details of deposits and payments, and at the provider. */
export const records = {
  paidAfterClosing: 'Paid after the account was deleted: the money is in clearing:unclaimed.',
  unpaid: 'Not paid within 24 hours.',
  providerRefused: 'The payment provider did not take it.',
  depositTitle: 'Balance top-up',
  payoutTitle: 'Payout',
  noMobileMoney: 'The payout account is not a mobile number, or has no method.',
  sandboxRefuses: 'The sandbox refuses this amount.',
  sandboxReturns: 'It came back.',
  disputeTaken: 'Taken back by the payment provider.',
  disputeReturned: 'Given back by the payment provider.',
};
