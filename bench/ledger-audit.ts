import { openDatabase, type Database, type Tx } from '@tutoring/shared/kit/database/open';
import { row, rows } from '@tutoring/shared/kit/database/sql';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { auditNewTransfers } from '../services/wallet/src/audit/audit-job.ts';
import { audit, transactAuditStep } from '../services/wallet/src/audit/audit-store.ts';
import { withWallets } from './wallet-databases.ts';

const SIZES = [50_000, 500_000, 2_000_000];
const STEPS = 10;
/** Charges between two audit steps: 200 transfers per second. */
const NEW = 2_000;
const CALL_STEPS = 10;
const COST = 100;

/** SQL for a correct ledger with this many charges: calls of ten steps by students with one deposit each. */
const seed = (transfers: number) => {
  const calls = transfers / CALL_STEPS;
  const people = Math.max(calls / 20, NEW);
  const money = 1_000_000;
  return [
    `insert into deposit (user_id, amount, currency, status, provider, entries)
     select g, ${money}, 'XOF', 'success', 'sandbox', 1 from generate_series(1, ${people}) g`,
    `insert into transfer (kind, reference, debit_account, credit_account, amount)
     select 'deposit', 'deposit:' || id || ':1', -10, user_id, amount from deposit`,
    `insert into transfer (kind, reference, debit_account, credit_account, amount)
     select 'call', 'call:c' || g / ${CALL_STEPS} || ':step:' || g % ${CALL_STEPS} + 1,
       g / ${CALL_STEPS} % ${people} + 1, 1000000 + g / ${CALL_STEPS} % ${people / 10}, ${COST}
     from generate_series(0, ${transfers - 1}) g`,
    `insert into payment (source, user_id, type, direction, amount, currency, status)
     select 'deposit:' || id, user_id, 'deposit', 'in', amount, 'XOF', 'success' from deposit`,
    `insert into payment (source, user_id, type, direction, amount, currency, status)
     select 'call:c' || g, side.user_id, 'call', side.direction, ${CALL_STEPS * COST}, 'XOF', 'success'
     from generate_series(0, ${calls - 1}) g
     cross join lateral (values (g % ${people} + 1, 'out'), (1000000 + g % ${people / 10}, 'in')) as side(user_id, direction)`,
    `insert into account (user_id, balance)
     select user_id, sum(amount) from (
       select debit_account as user_id, -amount as amount from transfer
       union all select credit_account, amount from transfer) m where user_id > 0 group by 1`,
    COUNT,
  ];
};

/** Counts new transfers as the statistics job does, when all of them are committed. */
const COUNT = `
  with counted as (
    insert into ledger_day as known (day, kind, count, amount, first_id, last_id)
    select (created_at at time zone 'UTC')::date, kind, count(*), sum(amount), min(id), max(id)
    from transfer where id > (select counted_to from ledger_day_mark) group by 1, 2
    on conflict (day, kind) do update set count = known.count + excluded.count, amount = known.amount + excluded.amount
  )
  update ledger_day_mark set counted_to = (select max(id) from transfer)`;

/** SQL that charges one more step of the calls of different students. */
const charge = (nr: number) => [
  `with charged as (
     insert into transfer (kind, reference, debit_account, credit_account, amount)
     select 'call', 'call:' || c.ref || ':step:' || ${CALL_STEPS + nr}, o.user_id, i.user_id, ${COST}
     from (select 'c' || g as ref, 'call:c' || g as source from generate_series(0, ${NEW - 1}) g) c
     join payment o on o.source = c.source and o.direction = 'out'
     join payment i on i.source = c.source and i.direction = 'in'
     returning call_identifier as ref, debit_account, credit_account
   ), side as (
     select ref, debit_account as user_id, -${COST} as amount from charged
     union all select ref, credit_account, ${COST} from charged
   ), grown as (
     update payment p set amount = p.amount + ${COST} from side
     where p.source = 'call:' || side.ref and p.user_id = side.user_id
   )
   update account a set balance = a.balance + s.amount
   from (select user_id, sum(amount) as amount from side group by user_id) s where a.user_id = s.user_id`,
  COUNT,
];

/** Runs audit steps until no transfer is new; returns the number of rows read. */
async function auditAll(owner: Database): Promise<number> {
  await rows(owner.manager, `update audit_mark set due_at = '-infinity'`);
  let rowsRead = 0;
  for (let isMore = true; isMore;)
    isMore = await transactAuditStep(owner, async (tx) => {
      const before = await readSoFar(tx);
      const step = await auditNewTransfers(tx);
      if (step.found.length > 0)
        throw new Error(`the audit of a correct ledger found ${JSON.stringify(step.found[0])}`);
      rowsRead += (await readSoFar(tx)) - before;
      return step.isMore;
    });
  return rowsRead;
}

const readSoFar = async (tx: Tx) =>
  (await row<{ read: number }>(
    tx,
    'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_xact_user_tables',
  ))!.read;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function benchSize(owner: Database, transfers: number): Promise<void> {
  const all = { statementMs: 600_000 };
  const write = (statements: string[]) =>
    owner.transact(async (tx) => {
      for (const statement of statements) await rows(tx, statement);
    }, all);
  await write(seed(transfers));
  for (const table of ['account', 'transfer', 'payment', 'deposit', 'ledger_day'])
    await rows(owner.manager, `vacuum analyze ${table}`);
  const sealing = performance.now();
  await auditAll(owner);
  const sealed = performance.now() - sealing;
  await rows(owner.manager, 'vacuum analyze audit_account');

  const took: number[] = [];
  const read: number[] = [];
  for (let nr = 1; nr <= STEPS; nr += 1) {
    await write(charge(nr));
    const began = performance.now();
    read.push(await auditAll(owner));
    took.push(performance.now() - began);
  }
  const began = performance.now();
  const { findings } = await audit(owner);
  const whole = performance.now() - began;
  if (findings.length > 0) throw new Error(`the audit of a correct ledger found ${JSON.stringify(findings[0])}`);
  console.log(
    [
      transfers,
      `${median(read)} rows`,
      `${median(took).toFixed(0)} ms`,
      ...[whole, sealed].map((ms) => `${(ms / 1000).toFixed(1)} s`),
    ].join(' | '),
  );
}

/**
 * `npm run bench -- ledger-audit [transfers ...]`: an audit step after 2,000 charges, and a full audit, by ledger size.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : SIZES;
  await withWallets(
    sizes.map((size) => `size${size}_`),
    async (databases) => {
      console.log(
        `transfers | rows per step | time per step (median of ${STEPS}) | full audit | first audit of all transfers`,
      );
      for (const [index, { ownerUrl }] of databases.entries()) {
        const logger = createLogger('bench', 'silent');
        const owner = await openDatabase({ url: ownerUrl, name: 'bench', pool: 2, logger });
        await benchSize(owner, sizes[index] ?? 0).finally(() => owner.close());
      }
    },
  );
}
