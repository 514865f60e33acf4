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

/** What is checked on its own, and where its key stands in the subject of a finding. */
const KEYS = {
  account: /account:(\d+)/,
  call: /call:([^: ]+)/,
  deposit: /deposit:(\d+)/,
  withdrawal: /withdrawal:(\d+)/,
  hold: /^hold:(.*)$/,
  payment: /^payment:(\d+)$/,
  block: /^block:(\d+)/,
  /** The newest checkpoint; there is one. */
  head: /^$/,
};
export type SubjectKind = keyof typeof KEYS;

/** Keys of what is to be checked. */
export type Subjects = Partial<Record<SubjectKind, Set<string>>>;

export const keyIn = (kind: SubjectKind, subject: string) => KEYS[kind].exec(subject)?.[1] ?? '';

export function merged(...all: Subjects[]): Subjects {
  const sum: Subjects = {};
  for (const subjects of all)
    for (const kind of Object.keys(subjects) as SubjectKind[])
      sum[kind] = new Set([...(sum[kind] ?? []), ...(subjects[kind] ?? [])]);
  return sum;
}
