/** A wrong row: its subject, the expected value, the found value. */
export interface Finding {
  check: string;
  subject: string;
  expected: string;
  found: string;
}

export interface AuditReport {
  accounts: number;
  transfers: number;
  findings: Finding[];
}

/** One readable line per finding. */
export const describe = ({ check, subject, expected, found }: Finding) =>
  `${check}: ${subject} should be ${expected}, is ${found}`;
