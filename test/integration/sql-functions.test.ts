import { describe, expect, test } from '@jest/globals';
import { glob, readFile } from 'node:fs/promises';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';

/*
 * Every function and trigger of the databases with its purpose. Business rules are pure functions in TypeScript, not
 * SQL: the functions here maintain counts, support searches, return the time or an order, or help migrations. An unused
 * function is dropped by a migration of the next release.
 */

const ROOT = new URL('../../', import.meta.url);

type Purposes = Record<string, string>;

const MIGRATIONS = {
  create_partitions: 'for migrations: creates the partitions of a table',
  deny_service: 'for migrations: revokes rights of the role of the service',
  keep_tally: 'for migrations: creates the counts of a table',
};
const EVERYWHERE: Purposes = {
  ...MIGRATIONS,
  app_now: 'the current time',
  outbox_lane: 'the stream of an event, for an index',
  outbox_next: 'the next events to send, in order and without a sort',
  outbox_urgent: 'the urgent events, in order',
  settle_tallies: 'merges the rows of counts',
  short_parts: 'the parts of a text by which an index finds short searches',
  tally_key: 'the columns of a count',
  utc_day: 'the UTC day of a time',
};
const FOLD = { fold: 'the searchable form of a text' };
const NORMALISED = { normalised: 'the searchable form of a text' };
const PHONE_DIGITS = { phone_digits: 'the searchable form of a phone number' };

const FUNCTIONS: Record<ServiceName, Purposes> = {
  identity: {
    ...NORMALISED,
    ...PHONE_DIGITS,
    'archive.move_audit': 'for operators: moves old entries to the archive',
  },
  wallet: {
    ...FOLD,
    ...PHONE_DIGITS,
    account_signs: 'the searchable form of a payout account',
    discard_unopened: 'deletes a deposit that the provider refused: the role of the service cannot delete deposits',
    payment_found: 'stores the search text of a payment',
    user_found: 'stores the search text of a person',
  },
  messaging: {
    ...FOLD,
    ...NORMALISED,
    ...PHONE_DIGITS,
    support_message_found: 'stores the search text of a message to or from support',
  },
  calls: {
    ...FOLD,
    ...PHONE_DIGITS,
    booking_without_proposal: 'removes a proposed time that the previous release leaves behind',
    revise_booking: 'counts the revisions of a booking for calendars, also those by the previous release',
  },
};

/** Keys are `table: trigger`. */
const TRIGGERS: Record<ServiceName, Purposes> = {
  identity: {},
  wallet: Object.fromEntries<string>(
    ['deposit', 'withdrawal', 'payment', 'user_copy'].map((table) => [`${table}: found`, 'its search text']),
  ),
  messaging: { 'support_message: found': 'its search text' },
  calls: {
    'booking: without_proposal': 'removes a proposed time together with its proposal',
    'booking: booking_revised': 'the revision of a lesson in calendars',
  },
};

/** Tables with counts that `keep_tally` maintains. */
const TALLIED: Record<ServiceName, string[]> = {
  identity: ['account', 'audit'],
  wallet: ['deposit', 'withdrawal', 'payment', 'dispute', 'deposit_refund', 'break', 'payout_batch'],
  messaging: ['message', 'report', 'room', 'support_case'],
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

/** The TypeScript code of the service and of `shared`, which calls SQL functions. */
async function sourceOf(service: ServiceName): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob(`{shared/{contract,kit},services/${service}/src}/**/*.ts`, { cwd: ROOT }))
    texts.push(await readFile(new URL(path, ROOT), 'utf8'));
  return texts.join('\n');
}

const calls = (text: string, name: string) => new RegExp(`\\b${name}\\s*\\(`).test(text);

describe.each(SERVICES)('the database of %s', (service) => {
  const find = async <Row>(query: string) => {
    const database = await cloneDatabase(service);
    return (await sql(database.ownerUrl, query).finally(() => database.drop())) as Row[];
  };

  test('has exactly the listed functions, and each is used', async () => {
    const functions = await find<{ name: string; text: string; used: boolean }>(FOUND);
    const tallies = TALLIED[service].map((table) => `${table}_tally_add`);
    const listed = [...Object.keys(EVERYWHERE), ...Object.keys(FUNCTIONS[service]), ...tallies];
    expect(functions.map(({ name }) => name).sort()).toEqual(listed.sort());
    const source = await sourceOf(service);
    const isKept = (name: string) => name in MIGRATIONS || name.includes('.');
    const live = new Set(functions.filter(({ name, used }) => used || isKept(name) || calls(source, name)));
    // The iteration also visits elements that are added during it.
    for (const { text } of live) for (const callee of functions) if (calls(text, callee.name)) live.add(callee);
    expect(functions.filter((candidate) => !live.has(candidate)).map(({ name }) => name)).toEqual([]);
  });

  test('has exactly the listed triggers', async () => {
    const triggers = await find<{ name: string }>(
      `select tgrelid::regclass || ': ' || tgname as name from pg_trigger where not tgisinternal and tgparentid = 0`,
    );
    const tallies = TALLIED[service].flatMap((table) =>
      ['deleted', 'inserted', 'updated'].map((event) => `${table}: tally_${event}`),
    );
    expect(triggers.map(({ name }) => name).sort()).toEqual([...Object.keys(TRIGGERS[service]), ...tallies].sort());
  });
});
