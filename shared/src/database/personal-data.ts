/**
 * Which data about people a table has. Every table of a service is declared in its `personal-data.ts`, with what
 * deletion and the export of own data do with it; test/integration/personal-data.test.ts fails for a missing one.
 */
export type Declared =
  /** No data about students or teachers; the reason where it seems otherwise. */
  | { personal: false; holds: string }
  /** What deletion does with the person's rows, and their key in `GET api/me/export`, or why they are not in it. */
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
    notExported: 'repeats what other tables hold',
  },
  dead_letter: {
    personal: true,
    onDeletion: 'goes when an operator publishes it again or removes it',
    notExported: 'repeats what the tables of its owner hold',
  },
  idempotency_key: {
    personal: true,
    onDeletion: 'goes after 24 hours',
    notExported: 'repeats what other tables hold',
  },
};
