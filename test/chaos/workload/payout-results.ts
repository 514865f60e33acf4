import {
  afterRace,
  afterWords,
  isOnly,
  isOpen,
  setStates,
  type ExpectedBatch,
  type ExpectedItem,
  type ItemState,
  type Word,
} from '../oracle/payout.ts';
import type { Staff } from '../person.ts';
import type { Answer } from './client.ts';
import { mustRefuse, pathOf, type Desk } from './payout-batch.ts';
import { makeReport, upload, type Report } from './payout-report.ts';
import { moveWithdrawal } from './withdrawal.ts';

interface Applied {
  applied: number;
  skipped: number;
}

const MESSAGE = 'The bank sent it back';

const apply = ({ client }: Desk, batch: ExpectedBatch, importId: number, by: Staff) =>
  client.ask<Applied>({ method: 'POST', path: `${pathOf(batch)}/results/${importId}/apply`, by, body: {} });

const wordsOf = ({ words }: Report, item: ExpectedItem): Word[] => {
  const word = words.get(item);
  return word === undefined ? [] : [word];
};

/** How many payouts the report moves; undefined when a state is not known. */
function movesOf({ items }: ExpectedBatch, report: Report): number | undefined {
  if (items.some(({ states }) => states.size > 1)) return undefined;
  return items.filter(({ states }, index) => {
    const [state] = states;
    return !isOnly(afterWords(states, wordsOf(report, items[index]!)), state!);
  }).length;
}

/** The states of the payouts of a batch that are not removed after these reports, confirmed or not. */
function learn(batch: ExpectedBatch, [one, other]: Report[], isConfirmed: boolean): void {
  for (const item of batch.items) {
    if (item.states.has('removed')) continue;
    const [first, second] = [wordsOf(one!, item), other ? wordsOf(other, item) : []];
    const after = afterRace(item.states, first, second);
    const doubtful = [...item.states, ...afterWords(item.states, first), ...afterWords(item.states, second)];
    setStates(item, isConfirmed ? after : [...after, ...doubtful]);
  }
}

/** One administrator applies a report, or two do at once; its answer is the same whenever and by whomever. */
async function applyOne(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { world, random, maker, checker } = desk;
  const report = makeReport(desk, batch);
  const importId = await upload(desk, batch, report);
  if (importId === undefined) return;
  const [moves, count] = [movesOf(batch, report), report.lines.length];
  const by = random.pick([[maker], [maker, checker], [maker, checker]]);
  const answers = await Promise.all(by.map((admin) => apply(desk, batch, importId, admin)));
  if (random.chance(0.3)) answers.push(await apply(desk, batch, importId, checker));
  learn(
    batch,
    [report],
    answers.some(({ kind }) => kind === 'done'),
  );
  for (const answer of answers) {
    if (answer.kind !== 'done') continue;
    report.breaks.forEach((item) => (item.contradicted = true));
    const { applied, skipped } = answer.data;
    if ((moves !== undefined && applied !== moves) || applied + skipped !== count)
      world.record.violation('applied results are counted otherwise', { answers, moves, lines: report.lines });
  }
}

/** Two administrators apply reports that contradict each other at the same moment. */
async function applyTwo(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { world, maker, checker } = desk;
  const reports = [makeReport(desk, batch), makeReport(desk, batch)];
  const imports = [await upload(desk, batch, reports[0]!), await upload(desk, batch, reports[1]!)] as const;
  if (imports[0] === undefined || imports[1] === undefined) return;
  const answers = await Promise.all([apply(desk, batch, imports[0], maker), apply(desk, batch, imports[1], checker)]);
  learn(
    batch,
    reports,
    answers.every(({ kind }) => kind === 'done'),
  );
  world.record.seen('two reports about a batch were applied at once');
}

/** The results of a bank come in. */
export async function reportResults(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const way = desk.random.pick(['one', 'one', 'two', 'beside']);
  if (way === 'one') await applyOne(desk, batch);
  else if (way === 'two') await applyTwo(desk, batch);
  else await applyBeside(desk, batch);
  if (batch.items.some(({ states }) => states.has('uncertain'))) desk.world.record.seen('a payout became uncertain');
}

/** An administrator settles one payout by hand; by the maker of the batch it is refused where it needs another. */
async function settle(desk: Desk, batch: ExpectedBatch, item: ExpectedItem, status: 'paid' | 'failed') {
  const { client, maker, checker, random } = desk;
  const request = {
    method: 'PUT' as const,
    path: `${pathOf(batch)}/items/${item.id}`,
    body: { status, message: 'Asked by phone', provider_ref: `PHONE-${item.reference}` },
    refusals: [409],
  };
  if (batch.needsApproval && random.chance(0.3))
    await mustRefuse(desk, 'the maker of a batch settled a payout', { ...request, by: maker });
  return client.ask<unknown>({ ...request, by: checker });
}

/** A payout is settled by hand while a report about it is applied: the first one counts. */
async function applyBeside(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const item = desk.random.pick(batch.items.filter(isOpen));
  const report = makeReport(desk, batch);
  const importId = await upload(desk, batch, report);
  if (importId === undefined) return;
  const status = desk.random.pick(['paid', 'failed'] as const);
  const [applied, settled] = await Promise.all([
    apply(desk, batch, importId, desk.maker),
    settle(desk, batch, item, status),
  ]);
  const [before, word] = [item.states, wordsOf(report, item)];
  learn(batch, [report], applied.kind === 'done');
  setStates(item, besideStates(settled, { before, after: item.states, status }));
  if (settled.kind === 'refused' && isOpen({ states: afterWords(before, word) }))
    desk.world.record.violation('an open payout could not be settled by hand', { item: item.reference, settled });
}

/** The states of a payout that was settled by hand while a report may have moved it. */
function besideStates(
  { kind }: Answer<unknown>,
  { before, after, status }: { before: Set<ItemState>; after: Set<ItemState>; status: ItemState },
): ItemState[] {
  if (kind === 'done') return [status];
  return kind === 'refused' ? [...after] : [...before, ...after, status];
}

/** An administrator who has asked the bank settles an open payout. */
export async function settleByHand(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { random, world } = desk;
  const open = batch.items.filter(isOpen);
  if (open.length === 0) return;
  const item = random.pick(open);
  const status = random.pick(['paid', 'failed'] as const);
  const settled = await settle(desk, batch, item, status);
  if (settled.kind === 'refused') world.record.violation('an open payout could not be settled by hand', settled);
  setStates(item, settled.kind === 'done' ? [status] : [...item.states, status]);
}

/** The bank sends a paid payout back: on the batch or on the withdrawal, or on both at once; only `su` may note it. */
export async function returnPaid(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { client, world, random, maker, checker, su } = desk;
  const paid = batch.items.filter(({ states }) => isOnly(states, 'paid'));
  if (paid.length === 0) return;
  const item = random.pick(paid);
  const [path, ofWithdrawal] = [`${pathOf(batch)}/items/${item.id}`, `api/admin/withdrawals/${item.withdrawal.id}`];
  const body = { status: 'returned', message: MESSAGE };
  const other = su === maker ? checker : maker;
  if (random.chance(0.3))
    await mustRefuse(
      desk,
      'a payout was returned by others than su',
      { method: 'PUT', path, by: other, body },
      [403, 409],
    );
  if (random.chance(0.3))
    await mustRefuse(desk, 'money that a bank has paid was held again', {
      ...{ method: 'PUT', path: ofWithdrawal, by: su },
      body: { status: random.pick(['pending', 'canceled']) },
    });
  if (random.chance(0.5)) return;
  const ways = su === maker && batch.needsApproval ? ['withdrawal'] : ['item', 'withdrawal', 'both'];
  const way = random.pick(ways);
  const onItem = () =>
    client.ask<unknown>({ method: 'PUT', path, by: su, body, refusals: way === 'both' ? [409] : [] });
  const onWithdrawal = () => moveWithdrawal(client, item.withdrawal, 'failed', { admin: su });
  const answers = await Promise.all([
    ...(way === 'withdrawal' ? [] : [onItem()]),
    ...(way === 'item' ? [] : [onWithdrawal()]),
  ]);
  const isDone = answers.some(({ kind }) => kind === 'done');
  setStates(item, isDone ? ['returned'] : ['paid', 'returned']);
  if (isDone) world.record.seen('a payout came back');
}
