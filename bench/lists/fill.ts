import type { ServiceName } from '@tutoring/shared/process/names';
import type { WholeStack } from '../units/stack.ts';

/** Ids of the people begin above it. */
export const PEOPLE = 1_000_000;
const NAMES = `(array['Éric', 'Awa', 'María', 'Kofi', 'Aïcha', 'Yao'])[n % 6 + 1] || ' ' || substr(md5(n::text), 1, 6)`;
const EMAIL = `'u' || n || '@example.com'`;
/** As `phoneOf` of requests.ts: neighbours differ in most digits. */
const PHONE = `'+221' || 700000000 + n::bigint * 7368787 % 99999989`;
/** Rows that one statement adds. */
const AT_ONCE = 500_000;

/** The student in all rooms. One of ten messages is in the first. */
export const READER = PEOPLE - 1;
/** As `uuidOf` of requests.ts. */
const uuidOf = (text: string) => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

export interface Table {
  service: ServiceName;
  name: string;
  /** The rest of `insert into <name>`, for the rows with these numbers, an SQL set. */
  fill: (numbers: string) => string;
  /** The size of the bench is so many times the number of rows; 1 unless given. */
  each?: number;
  hasTally?: true;
  /** What follows from the new rows, which triggers would do. */
  after?: string;
}

/** Rows of money: the texts of 3 in 5 hold `video`, of 1 in 1,000 `q9`, that of one `quartz`; 1 in 100 failed. */
const money = (columns: string, values: string) => (numbers: string) => `
  (user_id, amount, currency, status, ref, details, method, created_at${columns})
  select ${PEOPLE} + (n - 1) / 5 + 1, n, 'XOF', case when n % 100 = 4 then 'failed' else 'success' end,
    translate(substr(md5(n::text), 1, 12), '0123456789', 'ghijklmnop'),
    case when n % 5 < 3 then 'video call' when n % 1000 = 4 then 'q9' when n = 1003 then 'quartz' end,
    case when n % 5 >= 3 then 'card' end, now() - interval '700 days' + n * interval '10 seconds'${values}
  from ${numbers} n`;

export const LISTS = ['payments', 'deposits', 'users', 'messages'] as const;
export type Part = (typeof LISTS)[number];

const PAYERS: Table = {
  service: 'wallet',
  name: 'user_copy',
  each: 5,
  fill: (numbers) =>
    `select ${PEOPLE} + n, 'student', 'active', false, ${NAMES}, ${EMAIL}, ${PHONE}, 1 from ${numbers} n on conflict do nothing`,
};

/** What is read for each part of the bench. */
export const TABLES: Record<Part, Table[]> = {
  payments: [
    PAYERS,
    {
      service: 'wallet',
      name: 'payment',
      hasTally: true,
      fill: money(', source, type, direction', `, 's' || n, case when n % 5 < 3 then 'call' else 'deposit' end, 'in'`),
    },
  ],
  deposits: [PAYERS, { service: 'wallet', name: 'deposit', hasTally: true, fill: money(', provider', `, 'sandbox'`) }],
  users: [
    {
      service: 'identity',
      name: 'account',
      hasTally: true,
      fill: (numbers) => `
        (id, platform, gauth_type, status, name, email, email_key, phone_number, find, created_at)
        select ${PEOPLE} + n, case when n % 10 = 0 then 'teacher' else 'student' end, 'email',
          case when n % 100 = 4 then 'banned' else 'active' end, ${NAMES}, ${EMAIL}, ${EMAIL}, ${PHONE},
          normalised(${NAMES} || ' ' || ${EMAIL} || ' ' || ${PHONE} || case when n = 1003 then ' quartz' else '' end),
          now() - interval '700 days' + n * interval '10 seconds'
        from ${numbers} n`,
    },
  ],
  messages: [
    {
      service: 'messaging',
      name: 'user_copy',
      each: 10,
      fill: (numbers) => `
        (id, version, platform, status, deleted, name, email, phone_number, photo, address, city, country, about_me,
          subjects_interest, domains, experience, availability, created_at, updated_at)
        select ${PEOPLE} + n, 1, case when n % 2 = 0 then 'teacher' else 'student' end, 'active', false, ${NAMES}, ${EMAIL},
          ${PHONE}, '', '', '', '', '', '', '{}', 0, '', now(), now() from ${numbers} n`,
    },
    {
      service: 'messaging',
      name: 'room',
      each: 50,
      fill: (numbers) => `
        (uuid, student_id, teacher_id, created_at, updated_at)
        select ${uuidOf(`'room' || n - 1`)}, ${READER}, ${PEOPLE} + 2 * n, now(), timestamp '2026-01-01' - n * interval '1 second' from ${numbers} n`,
    },
    {
      service: 'messaging',
      name: 'message',
      fill: (numbers) => `
        (room_uuid, sender_id, message, type, created_at)
        select ${uuidOf(`'room' || case when n % 10 = 0 then 0 else 1 + n / 500 end`)}, ${READER}, 'Shall we look at exercise ' || n,
          'message', now() - interval '700 days' + n * interval '10 seconds' from ${numbers} n`,
      after: `set session_replication_role = replica;
        update room set student_last_id = last.id from (select room_uuid, max(id) as id from message group by 1) as last
        where room_uuid = uuid and student_last_id < last.id`,
    },
    {
      service: 'messaging',
      name: 'support_room',
      each: 10,
      fill: (numbers) => `
        (uuid, user_id, user_last_id, updated_at)
        select ${uuidOf(`'support' || n`)}, ${PEOPLE} + n, case when n % 100 = 0 then 1 else 0 end,
          timestamp '2026-01-01' - n * interval '1 second' from ${numbers} n`,
    },
  ],
};

/** Adds rows to a table without its indexes, and makes these again: much faster than to add each row to them. */
export async function fill(stack: WholeStack, table: Table, { from, to }: { from: number; to: number }): Promise<void> {
  const { service, name, each = 1, hasTally, after } = table;
  const sql = (statement: string) => stack.sql(service, statement);
  const indexes = await sql(`select format('%I', relname) as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on oid = indexrelid
    where indrelid = '${name}'::regclass and not indisunique and relkind = 'i'`);
  for (const index of indexes) await sql(`drop index ${String(index['name'])}`);
  for (let first = from; first < to; first += AT_ONCE * each) {
    const last = Math.min(to, first + AT_ONCE * each);
    const numbers = `generate_series(${Math.floor(first / each) + 1}, ${Math.floor(last / each)})`;
    await sql(`set synchronous_commit = off; insert into ${name} ${table.fill(numbers)}`);
  }
  for (const index of indexes) await sql(`set maintenance_work_mem = '512MB'; ${String(index['definition'])}`);
  if (after !== undefined) await sql(after);
  if (hasTally) {
    await sql(`select settle_tally('${name}', 1000000)`);
    await sql(`vacuum analyze ${name}_tally`);
  }
  await sql(`vacuum analyze ${name}`);
}
