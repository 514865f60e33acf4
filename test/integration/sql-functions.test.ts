import { describe, expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { SERVICES, type ServiceName } from '@tutoring/shared/process/names';

/*
 * Every function and trigger of the databases, and what it is for. SQL decides nothing: a rule of the business stands in
 * TypeScript, where it is one pure function. What is listed here keeps counts, searches, gives the time and an order, or
 * helps a migration. A function that nothing calls any more is dropped by a migration of the release after.
 */

const ROOT = new URL('../../', import.meta.url);

type Purposes = Record<string, string>;

const MIGRATIONS = {
  create_partitions: 'for migrations: the partitions of a table',
  deny_service: 'for migrations: takes rights from the role of the service',
  keep_tally: 'for migrations: the tally of a table',
};
const EVERYWHERE: Purposes = {
  ...MIGRATIONS,
  app_now: 'the time',
  outbox_lane: 'the stream of an event, for an index',
  outbox_next: 'the next events to send, in order and without a sort',
  outbox_urgent: 'the urgent ones, in order',
  settle_tallies: 'merges lines of tallies',
  short_parts: 'what an index finds short texts by',
  tally_key: 'the columns of a tally',
  utc_day: 'the day of a time',
};
const FOLD = { fold: 'a text as it is searched' };
const NORMALISED = { normalised: 'a text as it is searched' };
const PHONE_DIGITS = { phone_digits: 'a phone number as it is searched' };

const FUNCTIONS: Record<ServiceName, Purposes> = {
  identity: {
    ...NORMALISED,
    ...PHONE_DIGITS,
    'archive.move_audit': 'for operators: moves old entries out',
  },
  wallet: {
    ...FOLD,
    ...PHONE_DIGITS,
    account_signs: 'a payout account as it is searched',
    discard_unopened: 'takes away what a provider refused to open: the role of the service may delete no deposit',
    payment_found: 'stores what a payment is found by',
    user_found: 'stores what a person is found by',
  },
  messaging: {
    ...NORMALISED,
    ...PHONE_DIGITS,
  },
  calls: {
    ...FOLD,
    ...PHONE_DIGITS,
    booking_without_proposal: 'removes a proposed time that the release before leaves behind',
    revise_booking: 'counts the changes that calendars show, also those by the release before',
  },
};

/** `table: trigger`. */
const TRIGGERS: Record<ServiceName, Purposes> = {
  identity: {},
  wallet: Object.fromEntries<string>(
    ['deposit', 'withdrawal', 'payment', 'user_copy'].map((table) => [`${table}: found`, 'its text as it is found']),
  ),
  messaging: {},
  calls: {
    'booking: without_proposal': 'a proposed time ends with what it was proposed for',
    'booking: booking_revised': 'the revision of a lesson in calendars',
  },
};

/** Tables whose rows are counted: what `keep_tally` makes. */
const TALLIED: Record<ServiceName, string[]> = {
  identity: ['account', 'audit'],
  wallet: ['deposit', 'withdrawal', 'payment'],
  messaging: ['message', 'report', 'room'],
  calls: ['call', 'booking', 'review'],
};

/** Functions and procedures, without those of extensions. `used`: by a trigger, index, default or check. */
const FOUND = `
  select case n.nspname when 'public' then '' else n.nspname || '.' end || p.proname as name,
    pg_get_functiondef(p.oid) as text,
    exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
      and d.classid <> 'pg_proc'::regclass) as used
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname not in ('pg_catalog', 'information_schema') and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by 1`;

/** The code of the service and of what all services share: what calls functions, beside triggers and other functions. */
async function sourceOf(service: ServiceName): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob(`{shared,services/${service}}/src/**/*.ts`, { cwd: ROOT }))
    texts.push(await readFile(new URL(path, ROOT), 'utf8'));
  return texts.join('\n');
}

const calls = (text: string, name: string) => new RegExp(`\\b${name}\\s*\\(`).test(text);

describe.each(SERVICES)('the database of %s', (service) => {
  const find = async <Row>(query: string) => {
    const database = await cloneDatabase(service);
    return (await sql(database.ownerUrl, query).finally(() => database.drop())) as Row[];
  };

  test('has the functions that are listed, and each is called', async () => {
    const functions = await find<{ name: string; text: string; used: boolean }>(FOUND);
    const tallies = TALLIED[service].map((table) => `${table}_tally_add`);
    const listed = [...Object.keys(EVERYWHERE), ...Object.keys(FUNCTIONS[service]), ...tallies];
    expect(functions.map(({ name }) => name).sort()).toEqual(listed.sort());
    const source = await sourceOf(service);
    const isKept = (name: string) => name in MIGRATIONS || name.includes('.');
    const live = new Set(functions.filter(({ name, used }) => used || isKept(name) || calls(source, name)));
    // A set's iterator also reaches what is added meanwhile.
    for (const { text } of live) for (const one of functions) if (calls(text, one.name)) live.add(one);
    expect(functions.filter((one) => !live.has(one)).map(({ name }) => name)).toEqual([]);
  });

  test('has the triggers that are listed', async () => {
    const triggers = await find<{ name: string }>(
      `select tgrelid::regclass || ': ' || tgname as name from pg_trigger where not tgisinternal and tgparentid = 0`,
    );
    const tallies = TALLIED[service].flatMap((table) =>
      ['deleted', 'inserted', 'updated'].map((event) => `${table}: tally_${event}`),
    );
    expect(triggers.map(({ name }) => name).sort()).toEqual([...Object.keys(TRIGGERS[service]), ...tallies].sort());
  });
});
