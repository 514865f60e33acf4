import {
  commissionOf,
  costOf,
  stepAmount,
  stepsBetween,
  STEP_SECONDS,
  type ExpectedCall,
  type Pair,
} from '../oracle/oracle.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';
import type { Client } from '../workload/client.ts';
import { disputedOf, refundsOf } from './claim.ts';
import { UNBALANCED, WRONG_HOLDS } from './watch.ts';

interface Row {
  id: number;
  amount: number;
  status: string;
}

interface CallRow {
  identifier: string;
  state: string;
  call_type: 'video' | 'audio';
  steps: number;
  total_cost: number;
  total_duration: number | null;
  accepted_at: string | null;
  ended_at: string | null;
  ended_by: string | null;
}

interface Wallet {
  balance: number;
  available: number;
  held: number;
}

/** Fetches all pages of a list that is paged by a cursor. */
async function fetchAllPages<T>(
  client: Client,
  by: Person,
  path: string,
  cursor: (row: T) => string | number,
): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const last = rows.at(-1);
    const before = last === undefined ? '' : `&before=${cursor(last)}`;
    const page = (await client.get<T[]>({ path: `${path}?limit=100${before}`, by })) ?? [];
    rows.push(...page);
    if (page.length < 100) return rows;
  }
}

/** Matches requests with rows: each confirmed request has one row, a doubtful one at most one, and no row is left. */
function matchRows<Expected extends { amount: number; made: string; id?: number }>(
  world: World,
  what: string,
  expected: Expected[],
  rows: Row[],
): [Expected, Row][] {
  const pairs: [Expected, Row][] = [];
  for (const request of expected) {
    const found = rows.filter(({ amount }) => amount === request.amount);
    if (found.length > 1) world.record.violation(`a ${what} is stored twice`, { request, found });
    if (found.length === 0 && request.made === 'must') world.record.violation(`a confirmed ${what} is lost`, request);
    if (found[0]) pairs.push([request, found[0]]);
  }
  const asked = new Set(expected.map(({ amount }) => amount));
  for (const row of rows)
    if (!asked.has(row.amount)) world.record.violation(`a ${what} that nobody requested is stored`, row);
  return pairs;
}

async function creditsOf(world: World, client: Client, student: Person): Promise<number> {
  const rows = await fetchAllPages<Row>(client, student, 'api/deposits', ({ id }) => id);
  const expected = world.oracle.deposits.filter((deposit) => deposit.student === student.id);
  let credited = 0;
  for (const [deposit, row] of matchRows(world, 'deposit', expected, rows)) {
    if (row.status === 'success') credited += row.amount;
    if (deposit.paid === 'must' && row.status !== 'success')
      world.record.violation('a paid deposit is not credited', row);
    if (deposit.paid === 'no' && row.status === 'success')
      world.record.violation('a deposit without a payment is credited', row);
  }
  return credited;
}

async function payoutsOf(world: World, client: Client, teacher: Person): Promise<{ paid: number; held: number }> {
  const rows = await fetchAllPages<Row>(client, teacher, 'api/withdrawals', ({ id }) => id);
  const expected = world.oracle.withdrawals.filter((withdrawal) => withdrawal.teacher === teacher.id);
  let [paid, held] = [0, 0];
  for (const [withdrawal, row] of matchRows(world, 'withdrawal', expected, rows)) {
    if (!withdrawal.states.has(row.status))
      world.record.violation('a withdrawal has an unexpected status', {
        row,
        states: [...withdrawal.states],
      });
    if (row.status === 'success') paid += row.amount;
    if (row.status === 'initiated' || row.status === 'pending') held += row.amount;
  }
  return { paid, held };
}

const elapsedMs = ({ accepted_at, ended_at }: CallRow) => Date.parse(ended_at!) - Date.parse(accepted_at!);

/** Checks that a call's steps fit its duration, as far as the harness knows it; a student without money has fewer. */
function checkSteps(world: World, row: CallRow, call: ExpectedCall | undefined, { isPoor }: Person): void {
  const wrong = (what: string) => world.record.violation(what, { row, call });
  if (row.state !== 'ended') return wrong('a call has not ended');
  if (row.total_cost !== costOf(row.call_type, row.steps)) wrong('the price of a call does not match its steps');
  const stepMs = STEP_SECONDS * 1_000;
  if (row.ended_by === 'silence') world.record.seen('a call ended by silence');
  if (row.ended_by === 'money') world.record.seen('a call ended because the money ran out');
  if ((row.ended_by === 'student' || row.ended_by === 'teacher') && row.steps > Math.floor(elapsedMs(row) / stepMs) + 1)
    wrong('a call has more steps than time');
  if (!call) return;
  const [, acceptedLatest] = call.accepted;
  if (call.billedAt !== undefined && !isPoor && row.ended_by !== 'money') {
    const billed = Math.floor(Math.max(0, call.billedAt - acceptedLatest) / stepMs) + 1;
    if (row.steps < billed) wrong('a confirmed bill was not charged');
  }
  if (!call.ended || call.ended[1] === Infinity || !['student', 'teacher'].includes(row.ended_by ?? '')) return;
  const { least, most } = stepsBetween(call);
  if ((row.steps < least && !isPoor) || row.steps > most)
    wrong(`a call does not have between ${least} and ${most} steps`);
}

interface Transfer {
  kind: string;
  reference: string;
  amount: number;
  debit: number;
  credit: number;
}

const STEPS = `
  select kind, reference, amount, debit_account as debit, credit_account as credit from transfer
  where call_identifier is not null and (debit_account = $1 or credit_account = $1) order by id`;

/** Checks that the ledger has each step of each call exactly once, with its price and commission. */
async function checkTransfers(world: World, { student, teacher }: Pair, rows: CallRow[]): Promise<void> {
  const transfers = await world.stack.sql<Transfer>('wallet', STEPS, [student.id]);
  const commissions = (await world.stack.sql<Transfer>('wallet', STEPS, [teacher.id])).filter(
    ({ kind }) => kind === 'commission',
  );
  const wanted = new Map<string, number>();
  for (const { identifier, call_type, steps } of rows)
    for (let step = 1; step <= steps; step += 1)
      wanted.set(`call:${identifier}:step:${step}`, stepAmount(call_type, step));
  for (const { reference, amount, debit, credit, kind } of transfers) {
    const price = wanted.get(reference);
    if (price !== amount || debit !== student.id || credit !== teacher.id || kind !== 'call')
      world.record.violation('a charge belongs to no step of a call, or is duplicated', { reference, amount, price });
    wanted.delete(reference);
    const expected = commissionOf(amount);
    const found = commissions.filter((row) => row.reference === reference);
    if (found.length !== (expected > 0 ? 1 : 0) || (found[0] && found[0].amount !== expected))
      world.record.violation('a charge without its commission', { reference, amount, found });
  }
  if (wanted.size > 0) world.record.violation('steps were never charged', [...wanted.keys()].slice(0, 5));
}

async function checkWallet(world: World, client: Client, person: Person, expected: Wallet): Promise<void> {
  const shown = await client.get<Wallet>({ path: 'api/wallet', by: person });
  const { balance, available, held } = shown ?? { balance: NaN, available: NaN, held: NaN };
  if (balance !== expected.balance || held !== expected.held || available !== expected.available)
    world.record.violation('a wallet differs from the oracle', { person: person.email, expected, shown });
  const [raw] = await world.stack.sql<{ balance: number; held: number }>(
    'wallet',
    'select balance, held from account where user_id = $1',
    [person.id],
  );
  if ((raw?.balance ?? 0) !== expected.balance || (raw?.held ?? 0) !== expected.held)
    world.record.violation('an account row differs from the oracle', { person: person.email, expected, raw });
}

async function checkPair(world: World, client: Client, pair: Pair): Promise<void> {
  const { student, teacher } = pair;
  const rows = await fetchAllPages<CallRow>(client, student, 'api/calls', ({ identifier }) => identifier);
  const accepted = rows.filter(({ accepted_at }) => accepted_at !== null);
  const unknown = accepted.filter(({ identifier }) => !world.oracle.calls.has(identifier));
  if (unknown.length > pair.doubtfulAccepts) world.record.violation('an accepted call has no accept request', unknown);
  for (const call of world.oracle.calls.values())
    if (call.student === student.id && !accepted.some(({ identifier }) => identifier === call.identifier))
      world.record.violation('an accepted call is lost', call);
  // A dispute may leave a student without money.
  const isPoor = student.isPoor || world.oracle.disputes.some((dispute) => dispute.student === student.id);
  for (const row of accepted) checkSteps(world, row, world.oracle.calls.get(row.identifier), { ...student, isPoor });
  if (rows.some(({ state }) => state === 'missed')) world.record.seen('nobody answered a call');
  await checkTransfers(world, pair, accepted);

  const spent = accepted.reduce((sum, { call_type, steps }) => sum + costOf(call_type, steps), 0);
  const earned = accepted
    .flatMap(({ call_type, steps }) => Array.from({ length: steps }, (_, index) => stepAmount(call_type, index + 1)))
    .reduce((sum, amount) => sum + amount - commissionOf(amount), 0);
  const refunded = await refundsOf(world, student);
  const lost = refunded.paid + (await disputedOf(world, student));
  const rest = (await creditsOf(world, client, student)) - spent - lost;
  await checkWallet(world, client, student, { balance: rest, available: rest - refunded.held, held: refunded.held });
  const { paid, held } = await payoutsOf(world, client, teacher);
  const remaining = earned - paid;
  await checkWallet(world, client, teacher, { balance: remaining, available: remaining - held, held });
}

/** For an idle system: everybody's balance follows from the confirmed requests, in the interface and in the rows. */
export async function checkMoney(world: World, client: Client): Promise<void> {
  for (const statement of [UNBALANCED, WRONG_HOLDS]) {
    const rows = await world.stack.sql('wallet', statement);
    if (rows.length > 0) world.record.violation('the ledger does not add up', rows.slice(0, 5));
  }
  for (const pair of world.oracle.pairs) await checkPair(world, client, pair);
}
