/** Something that does not add up: which row, what it should say, what it says. */
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

/** One line a finding, for people. */
export const describe = ({ check, subject, expected, found }: Finding) =>
  `${check}: ${subject} should be ${expected}, is ${found}`;
