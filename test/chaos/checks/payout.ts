import { createHash } from 'node:crypto';
import type { ExpectedItem } from '../oracle/payout.ts';
import type { Staff } from '../person.ts';
import type { World } from '../world.ts';
import { download } from '../workload/payout-desk.ts';

/** Withdrawals whose money is not where the status says: held, paid out once, or free. */
const MISPLACED = `
  with moved as (
    select split_part(reference, ':', 2)::bigint as id, count(*) filter (where kind = 'withdrawal') as captures,
      sum(case when kind = 'withdrawal' then amount else -amount end) as paid
    from transfer where kind in ('withdrawal', 'withdrawal_reversal') group by 1
  ), kept as (
    select split_part(reference, ':', 2)::bigint as id, sum(amount) as held
    from hold where state = 'open' and starts_with(reference, 'withdrawal:') group by 1
  ), found as (
    select w.id, w.status, w.amount, coalesce(m.captures, 0) as captures, coalesce(m.paid, 0) as paid,
      coalesce(k.held, 0) as held
    from withdrawal w left join moved m using (id) left join kept k using (id)
  )
  select * from found where captures > 1
    or paid <> case when status = 'success' then amount else 0 end
    or held <> case when status in ('initiated', 'pending') then amount else 0 end`;

/** Newest payouts whose withdrawal has another status. */
const MISMATCHED = `
  select i.reference, i.status, w.status as withdrawal from withdrawal w join lateral (
    select * from payout_item where withdrawal_id = w.id order by id desc limit 1
  ) i on true
  where w.amount <> i.amount or case when i.status in ('waiting', 'sent', 'uncertain') then w.status <> 'pending'
    when i.status = 'paid' then w.status <> 'success'
    when i.status in ('failed', 'returned') then w.status <> 'failed' else false end`;

/** Withdrawals that could be paid from two batches, or were. */
const TAKEN_TWICE = `
  select withdrawal_id, array_agg(reference) as items from payout_item
  where status in ('waiting', 'sent', 'uncertain', 'paid', 'returned') group by 1 having count(*) > 1`;

/** Lines of one import that were applied in one transaction. */
const APPLIED_TOGETHER = `
  select import_id, array_agg(line) as lines from payout_result where outcome = 'applied'
  group by import_id, xmin::text having count(*) > 1`;

/** Files with other bytes than their batch says. */
const CHANGED_FILES = `
  select b.id from payout_batch b left join payout_file f on f.batch_id = b.id
  where b.file_sha256 is distinct from encode(sha256(f.bytes), 'hex') or octet_length(f.bytes) <> b.file_bytes
    or (f.bytes is null) <> (b.exported_at is null or b.format = 'provider')`;

/** Exported batches that are closed with an open payout, or not closed without one. */
const UNCLOSED = `
  select b.id, b.status from payout_batch b where b.status in ('exported', 'closed') and (b.status = 'closed') = exists (
    select from payout_item i where i.batch_id = b.id and i.status in ('waiting', 'sent', 'uncertain'))`;

/** Open withdrawals to an account that was deleted. */
const WITHOUT_ACCOUNT = `
  select w.id, w.status from withdrawal w where w.status in ('initiated', 'pending') and w.payout_account_id is not null
    and not exists (select from payout_account p where p.id = w.payout_account_id)`;

/** What holds for payouts at every moment. */
export async function checkBatches({ stack, record }: World): Promise<void> {
  for (const [what, statement] of [
    ['the money of a withdrawal is not where its status says', MISPLACED],
    ['a payout and its withdrawal have statuses that do not match', MISMATCHED],
    ['a withdrawal is in two batches', TAKEN_TWICE],
    ['results were not applied in a transaction each', APPLIED_TOGETHER],
    ['a file has other bytes than its batch says', CHANGED_FILES],
    ['a payout account was deleted while a withdrawal to it was open', WITHOUT_ACCOUNT],
    ['a batch is not closed when its last payout ends', UNCLOSED],
  ] as const) {
    const rows = await stack.sql('wallet', statement);
    if (rows.length > 0) record.violation(what, rows.slice(0, 5));
  }
}

/** Payouts with the moment from which a provider may have got them. */
const SENT = `select reference, sending_at::text as at from payout_item where sending_at is not null`;

/** Each payout is sent to its provider once: that the request begins is written down before it, and never again. */
export function createSendingCheck({ stack, record }: World) {
  const known = new Map<string, string>();
  return async () => {
    for (const { reference, at } of await stack.sql<{ reference: string; at: string }>('wallet', SENT)) {
      const before = known.get(reference) ?? at;
      if (before !== at) record.violation('a payout was sent to its provider twice', { reference, before, at });
      known.set(reference, at);
    }
  };
}

interface ItemRow {
  reference: string;
  batch_id: number;
  withdrawal_id: number;
  user_id: number;
  amount: number;
  status: string;
}

const TOLD = `
  select (data ->> 'user_id')::bigint as user_id, (data ->> 'amount')::bigint as amount, data ->> 'what' as what,
    count(*)::int as times
  from outbox where name = 'money.announced' and starts_with(data ->> 'what', 'payout_') group by 1, 2, 3`;

/** What a teacher has been told about a payout in its last state. */
const NEWS: Record<string, string[]> = {
  paid: ['payout_paid'],
  failed: ['payout_failed'],
  returned: ['payout_paid', 'payout_returned'],
};

/** The owner of each payout is told once about each settlement. The amounts of withdrawals are unique. */
async function checkNews({ stack, record }: World, rows: ItemRow[]): Promise<void> {
  const told = await stack.sql<{ user_id: number; amount: number; what: string; times: number }>('wallet', TOLD);
  for (const [id, items] of Map.groupBy(rows, ({ withdrawal_id }) => withdrawal_id)) {
    const wanted = items.flatMap(({ status }) => NEWS[status] ?? []).sort();
    const [{ user_id, amount }] = items as [ItemRow];
    const found = told.filter((one) => one.user_id === user_id && one.amount === amount);
    const heard = found.flatMap(({ what, times }) => Array.from({ length: times }, () => what)).sort();
    if (heard.join() !== wanted.join())
      record.violation('a teacher was not told about a payout once', { withdrawal: id, wanted, heard });
  }
}

/** Every payout has a state that the confirmed requests allow. */
function checkStates({ oracle, record }: World, rows: ItemRow[]): void {
  const expected = new Map<string, ExpectedItem>();
  for (const { items } of oracle.batches) for (const item of items) expected.set(item.reference, item);
  const unknown = new Set<number>();
  for (const row of rows) {
    const item = expected.get(row.reference);
    expected.delete(row.reference);
    if (!item) unknown.add(row.batch_id);
    else if (!([...item.states] as string[]).includes(row.status))
      record.violation('a payout has an unexpected status', { row, states: [...item.states] });
  }
  if (expected.size > 0) record.violation('confirmed payouts are lost', [...expected.keys()]);
  if (unknown.size > oracle.doubtfulBatches) record.violation('a batch that nobody made is stored', [...unknown]);
}

/** A report that contradicts what is known has made a break. */
async function checkBreaks({ stack, oracle, record }: World): Promise<void> {
  const rows = await stack.sql<{ reference: string }>('wallet', `select distinct reference from break`);
  const known = new Set(rows.map(({ reference }) => reference));
  const items = oracle.batches.flatMap((batch) => batch.items);
  const missing = items.filter(({ contradicted, reference }) => contradicted && !known.has(reference));
  if (missing.length > 0)
    record.violation(
      'a contradicting report has made no break',
      missing.map(({ reference }) => reference),
    );
}

/** Files that are downloaded at the end; each takes a request. */
const MOST_FILES = 20;

async function checkFiles(world: World, admin: Staff): Promise<void> {
  for (const batch of world.oracle.batches.filter(({ sha256 }) => sha256 !== undefined).slice(-MOST_FILES)) {
    const file = await download(world, batch, admin);
    if (!file || createHash('sha256').update(file.bytes).digest('hex') !== batch.sha256)
      world.record.violation('a file is not what was exported', { batch: batch.id });
  }
}

/** For an idle system: batches and their payouts follow from the confirmed requests. */
export async function checkPayouts(world: World, admin: Staff): Promise<void> {
  await checkBatches(world);
  const rows = await world.stack.sql<ItemRow>(
    'wallet',
    `select reference, batch_id, withdrawal_id, user_id, amount, status from payout_item order by id`,
  );
  checkStates(world, rows);
  await checkNews(world, rows);
  await checkBreaks(world);
  await checkFiles(world, admin);
}
