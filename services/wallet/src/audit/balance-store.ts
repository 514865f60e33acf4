import type { Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { Finding } from './audit.ts';

/** Users that are to be compared, and where to go on with the first of them whose transfers were too many for a look. */
export interface Waiting {
  users: number[];
  start?: Start | undefined;
}

/** A user's transfers are summed from an id on; what is before is `total`. */
export interface Start {
  user_id: number;
  after_id: number;
  total: number;
}

/** Sums of a user's next transfers. `settled`: of those that nothing can come in between any more. */
interface Sum extends Start {
  transfers: number;
  /** The last that was read, and the last of them that is settled. */
  last_id: number | null;
  last_settled_id: number | null;
  total_to_end: number;
  total_settled: number;
  /** null: no account */
  balance: number | null;
  /** The checkpoint of the account, if any, and what it should be; null when that lies before `after_id`. */
  known_up_to_id: number | null;
  known: number | null;
  known_expected: number | null;
}

/** How many transfers are read at most, and up to where none can appear any more. */
export interface Bounds {
  limit: number;
  settled: number;
}

/** Users whose transfers are summed, as `start (user_id, after_id, total)`, in their order. */
type Starts = { sql: string; parameters: unknown[] };

/** The row comparison leaves no other index than the account's: most transfers credit a few accounts. */
const SIDE = (account: string, amount: string) => `
  (select id, ${amount} as amount from transfer
   where (${account}, id) > (start.user_id, start.after_id) and ${account} <= start.user_id
   order by ${account}, id limit $1)`;

/** Looked up one by one: joined, a large table might be read as a whole. */
const CHECKPOINT = (of: string) =>
  `select up_to_id, balance from audit_account where audit_account.user_id = ${of}.user_id offset 0`;

/** The transfers of all starts, user by user in the order of the ledger, at most $1 of them; a user without: one null. */
const SUMS = (starts: string) => `
  with start as materialized (${starts}),
  line as materialized (
    select start.*, next.id, next.amount from (select * from start order by user_id) start left join lateral (
      ${SIDE('debit_account', '-amount')} union all ${SIDE('credit_account', 'amount')} order by id limit $1
    ) next on true
    order by start.user_id, next.id limit $1
  ), person as materialized (
    select user_id, account.balance, known.up_to_id, known.balance as known from (select distinct user_id from line) who
    left join lateral (select balance from account where account.user_id = who.user_id offset 0) account on true
    left join lateral (${CHECKPOINT('who')}) known on true
  )
  select line.user_id, line.after_id, line.total, count(line.id) as transfers,
    line.total + coalesce(sum(line.amount), 0) as total_to_end,
    line.total + coalesce(sum(line.amount) filter (where line.id <= $2), 0) as total_settled,
    max(line.id) filter (where line.id <= $2) as last_settled_id,
    person.balance, person.up_to_id as known_up_to_id, person.known,
    max(line.id) as last_id,
    case when person.up_to_id >= line.after_id
      then line.total + coalesce(sum(line.amount) filter (where line.id <= person.up_to_id), 0) end as known_expected
  from line join person using (user_id)
  group by line.user_id, line.after_id, line.total, person.balance, person.up_to_id, person.known order by line.user_id`;

/** What one look at the accounts has found. */
export interface Look {
  findings: (Finding & { key: string })[];
  /** Users about whom everything is known now. */
  compared: string[];
  /** The user whose transfers were too many, and where to go on with them. */
  unfinished: Start | undefined;
  last: number | undefined;
}

const wrong = (user: number, check: string, subject: string, [expected, found]: [number, number | null]) => ({
  key: String(user),
  check,
  subject,
  expected: String(expected),
  found: String(found ?? 'no account'),
});

/** Of a user who is not complete, what is known so far. */
function findingsOf(sum: Sum, isComplete: boolean): (Finding & { key: string })[] {
  const { user_id: user, total_to_end: total, balance, known, known_expected: expected } = sum;
  const isOff = balance === null ? sum.transfers + sum.after_id > 0 : balance !== total;
  const isRead = isComplete || (sum.known_up_to_id ?? 0) <= (sum.last_id ?? 0);
  const isForged = isRead && known !== null && expected !== null && known !== expected;
  return [
    ...(isOff && isComplete
      ? [wrong(user, 'a balance is the sum of its transfers', `account:${user}`, [total, balance])]
      : []),
    ...(isForged
      ? [wrong(user, 'a checkpoint is the sum of its transfers', `checkpoint of account:${user}`, [expected, known])]
      : []),
  ];
}

/** A checkpoint never moves back, and a wrong one stays for whoever looks into it. */
const REMEMBER = `
  insert into audit_account as known (user_id, up_to_id, balance)
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])
  on conflict (user_id) do update set up_to_id = excluded.up_to_id, balance = excluded.balance
    where excluded.up_to_id > known.up_to_id`;

/** Compares balances and checkpoints with at most `limit` transfers, and moves the checkpoints of the right ones. */
async function compare(tx: Tx, starts: Starts, { limit, settled }: Bounds): Promise<Look> {
  const sums = await rows<Sum>(tx, SUMS(starts.sql), [limit, settled, ...starts.parameters]);
  const lines = sums.reduce((count, { transfers }) => count + Math.max(transfers, 1), 0);
  const cut = lines >= limit ? sums.at(-1) : undefined;
  const findings = sums.flatMap((sum) => findingsOf(sum, sum !== cut));
  const suspect = new Set(findings.map(({ key }) => key));
  const right = sums.filter(({ user_id: user, balance }) => balance !== null && !suspect.has(String(user)));
  const upTo = (sum: Sum) => (sum === cut ? (sum.last_settled_id ?? sum.after_id) : Math.max(settled, sum.after_id));
  await rows(tx, REMEMBER, [
    right.map(({ user_id: user }) => user),
    right.map(upTo),
    right.map(({ total_settled: total }) => total),
  ]);
  return {
    findings,
    compared: sums
      .filter((sum) => sum !== cut && (sum.known === null || sum.known_expected !== null))
      .map(({ user_id: user }) => String(user)),
    unfinished: cut && { user_id: cut.user_id, after_id: upTo(cut), total: cut.total_settled },
    last: sums.at(-1)?.user_id,
  };
}

/**
 * Users that transfers have touched: from their checkpoints on. One without a checkpoint is summed from the first
 * transfer when its account is younger than the audit; an older one waits for the round.
 */
export const compareTouched = (tx: Tx, { users, start }: Waiting, since: string, bounds: Bounds) =>
  compare(
    tx,
    {
      sql: `
        select touched.user_id,
          case when touched.user_id = $5 then $6::bigint else coalesce(known.up_to_id, 0) end as after_id,
          case when touched.user_id = $5 then $7::bigint else coalesce(known.balance, 0) end as total
        from unnest($3::bigint[]) as touched(user_id)
        left join lateral (${CHECKPOINT('touched')}) known on true
        left join lateral (select created_at from account where account.user_id = touched.user_id offset 0) account on true
        where touched.user_id = $5::bigint or known.up_to_id is not null or account.created_at is null
          or account.created_at >= $4`,
      parameters: [users, since, start?.user_id ?? null, start?.after_id ?? null, start?.total ?? null],
    },
    bounds,
  );

/** Users from their first transfers on, whatever the checkpoints say. */
export const recount = (tx: Tx, users: Iterable<string>, bounds: Bounds) =>
  compare(
    tx,
    {
      sql: 'select user_id, 0::bigint as after_id, 0::bigint as total from unnest($3::bigint[]) as user_id',
      parameters: [[...users]],
    },
    bounds,
  );

/** The next users, from their first transfers on; the first of them from where the look before has stopped. */
export const recountNext = (tx: Tx, { user_id, after_id, total }: Start, bounds: Bounds) =>
  compare(
    tx,
    {
      sql: `
        select user_id, case when user_id = $3 then $4::bigint else 0 end as after_id,
          case when user_id = $3 then $5::bigint else 0 end as total
        from (
          (select user_id from account where user_id >= $3 order by user_id limit $1) union
          (select user_id from audit_account where user_id >= $3 order by user_id limit $1)
        ) next order by user_id limit $1`,
      parameters: [user_id, after_id, total],
    },
    bounds,
  );
