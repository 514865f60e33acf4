/**
 * What a table has to do with people. Every table of a service is declared so in its `personal-data.ts`, and
 * test/integration/personal-data.test.ts fails for one that is not: whoever adds a table decides what deletion and the
 * export of the own data make of it.
 */
export type Declared =
  /** Nothing of a student or teacher, and why it seems otherwise where it does. */
  | { personal: false; holds: string }
  /** What deleting the account makes of his rows, and under which key of `GET api/me/export` he reads them, or why he does not. */
  | ({ personal: true; onDeletion: string } & ({ exportedAs: string } | { notExported: string }));

export type PersonalData = Record<string, Declared>;

const mechanics = (holds: string): Declared => ({ personal: false, holds });

/** The tables that every service has. */
export const MECHANICS: PersonalData = {
  migrations: mechanics('which migrations have run'),
  app_clock: mechanics('the time of tests'),
  lease: mechanics('who leads'),
  inbox: mechanics('ids of events'),
  event_failure: mechanics('ids of events'),
  outbox: {
    personal: true,
    onDeletion: 'goes 14 days after it was sent',
    notExported: 'tells what other tables hold',
  },
  dead_letter: {
    personal: true,
    onDeletion: 'goes when an operator tells it again or removes it',
    notExported: 'tells what the tables of its owner hold',
  },
  idempotency_key: {
    personal: true,
    onDeletion: 'goes after 24 hours',
    notExported: 'repeats what other tables hold',
  },
};
