import {
  isOpen,
  setStates,
  type ExpectedBatch,
  type ExpectedItem,
  type Format,
  type MadeWithdrawal,
} from '../oracle/payout.ts';
import { BATCHES, mustRefuse, type Desk, type ShownBatch } from './payout-batch.ts';
import type { Answer } from './client.ts';
import { moveWithdrawal } from './withdrawal.ts';

/** Who wants the same withdrawals at the same moment. */
type Rival = 'nobody' | 'batch' | 'claim' | 'owner';
const RIVALS: Rival[] = ['nobody', 'nobody', 'nobody', 'batch', 'batch', 'claim', 'owner'];

interface Wanted {
  taken: MadeWithdrawal[];
  format: Format;
}

const create = ({ client, random }: Desk, by: Desk['maker'], { taken, format }: Wanted) =>
  random.pick([client.ask, client.askTwice])<ShownBatch>({
    method: 'POST',
    path: BATCHES,
    by,
    body: { withdrawal_ids: taken.map(({ id }) => id), format, note: 'Chaos' },
    keyed: true,
    refusals: [409],
  });

/** A batch of withdrawals that wait can be made: nothing stands against it. */
async function preview({ client, world, maker: by }: Desk, taken: MadeWithdrawal[]): Promise<void> {
  const body = { withdrawal_ids: taken.map(({ id }) => id) };
  const found = await client.get<{ count: number; excluded: unknown[] }>({
    method: 'POST',
    path: `${BATCHES}/preview`,
    by,
    body,
  });
  if (found && (found.count !== taken.length || found.excluded.length > 0))
    world.record.violation('a preview excludes withdrawals that wait', { ...body, found });
}

async function compete(desk: Desk, rival: Rival, wanted: Wanted): Promise<Answer<unknown> | undefined> {
  const { world, client, checker } = desk;
  const [first] = wanted.taken as [MadeWithdrawal];
  if (rival === 'nobody') return undefined;
  if (rival === 'batch') return create(desk, checker, wanted);
  const owner = world.oracle.pairs.find(({ teacher }) => teacher.id === first.teacher)!.teacher;
  return rival === 'claim'
    ? moveWithdrawal(client, first, 'pending', { admin: checker }, [409])
    : moveWithdrawal(client, first, 'canceled', { owner });
}

/** Notes a confirmed batch. */
function remember({ world }: Desk, shown: ShownBatch, { taken, format }: Wanted, maker: Desk['maker']): ExpectedBatch {
  const items = taken.map((withdrawal): ExpectedItem => {
    const reference = `W${withdrawal.id}-${shown.id}`;
    const isByProvider = format === 'provider';
    const item: ExpectedItem = { reference, withdrawal, isByProvider, states: new Set(), contradicted: false };
    withdrawal.item = item;
    setStates(item, ['waiting']);
    return item;
  });
  const batch: ExpectedBatch = { id: shown.id, maker, format, needsApproval: shown.needs_approval, items };
  world.oracle.batches.push(batch);
  const amount = taken.reduce((sum, one) => sum + one.amount, 0);
  if (shown.count !== taken.length || shown.amount !== amount || shown.status !== 'draft')
    world.record.violation('a new batch is not what was asked for', shown);
  return batch;
}

/** No batch was made: the withdrawals wait for the next one, unless the rival has one, or nobody knows. */
function giveUp({ world }: Desk, taken: MadeWithdrawal[], isDoubtful: boolean): void {
  if (isDoubtful) world.oracle.doubtfulBatches += 1;
  for (const withdrawal of taken)
    if (isDoubtful) withdrawal.states.add('pending');
    else if (withdrawal.states.size === 1 && withdrawal.states.has('initiated')) world.oracle.payable.push(withdrawal);
}

/** A single decision about a withdrawal that an administrator has claimed meanwhile: another one pays. */
async function decideAlone({ client, random, maker }: Desk, withdrawal: MadeWithdrawal): Promise<void> {
  await moveWithdrawal(client, withdrawal, random.pick(['success', 'failed']), { admin: maker });
}

/** Last digits of amounts for which the provider of the sandbox does more than pay at once. */
const SCRIPTED = new Set([1, 2, 3, 4, 5]);

/** A provider pays only to stored accounts: what is in the old form waits for another batch. */
async function chooseFormat(desk: Desk, all: MadeWithdrawal[]): Promise<Wanted> {
  const { random, maker: by, world } = desk;
  const stored = all.filter(({ account }) => account !== undefined);
  const isScripted = stored.some(({ amount }) => SCRIPTED.has(amount % 10));
  if (!random.chance(isScripted ? 0.7 : 0.3) || stored.length === 0) return { taken: all, format: 'csv' };
  const old = all.filter(({ account }) => account === undefined);
  const body = { withdrawal_ids: all.map(({ id }) => id), format: 'provider' };
  if (old.length > 0 && random.chance(0.3))
    await mustRefuse(desk, 'a provider was to pay to no stored account', {
      ...{ method: 'POST', path: BATCHES, by, body, keyed: true },
    });
  world.oracle.payable.push(...old);
  return { taken: stored, format: 'provider' };
}

/**
 * Makes a batch, sometimes while somebody else wants the same withdrawals: at most one gets them. Returns the batch and
 * who made it; undefined when there is none.
 */
export async function makeBatch(desk: Desk, all: MadeWithdrawal[]) {
  const { world, random, maker, checker } = desk;
  if (random.chance(0.2)) await preview(desk, all);
  const wanted = await chooseFormat(desk, all);
  const { taken } = wanted;
  const rival = random.pick(RIVALS);
  const [made, other] = await Promise.all([create(desk, maker, wanted), compete(desk, rival, wanted)]);
  if (rival !== 'nobody') world.record.seen('two wanted the same withdrawal');
  if (made.kind === 'done' && other?.kind === 'done')
    world.record.violation('a withdrawal was taken twice at once', { rival, batch: made.data.id, other });
  if (made.kind === 'done') return { batch: remember(desk, made.data, wanted, maker), desk };
  if (rival === 'batch' && other?.kind === 'done')
    return {
      batch: remember(desk, other.data as ShownBatch, wanted, checker),
      desk: { ...desk, maker: checker, checker: maker },
    };
  if (rival === 'nobody' && made.kind === 'refused')
    world.record.violation('withdrawals that wait could not be taken', { wanted: taken.map(({ id }) => id), made });
  giveUp(desk, taken, made.kind === 'lost' || (rival === 'batch' && other?.kind === 'lost'));
  if (rival === 'claim' && other?.kind === 'done') await decideAlone(desk, taken[0]!);
  return undefined;
}

/** What must be refused while a withdrawal is in an open batch: a decision of its own, another batch, its owner's. */
export async function intrude(desk: Desk, { items }: ExpectedBatch): Promise<void> {
  const { world, random, checker, maker } = desk;
  const open = items.filter(isOpen);
  if (open.length === 0) return;
  const { withdrawal } = random.pick(open);
  const path = `api/admin/withdrawals/${withdrawal.id}`;
  const owner = world.oracle.pairs.find(({ teacher }) => teacher.id === withdrawal.teacher)!.teacher;
  const by = random.pick([maker, checker]);
  const way = random.pick(['alone', 'alone', 'batch', 'owner']);
  if (way === 'alone') {
    const body = { status: random.pick(['success', 'failed', 'initiated']) };
    await mustRefuse(desk, 'a withdrawal in an open batch was decided alone', { method: 'PUT', path, by, body });
  } else if (way === 'batch') {
    const body = { withdrawal_ids: [withdrawal.id], format: 'csv' };
    const request = { method: 'POST' as const, path: BATCHES, by, body, keyed: true };
    await mustRefuse(desk, 'a withdrawal is in two open batches', request);
  } else {
    const cancel = { method: 'POST' as const, path: `api/withdrawals/${withdrawal.id}/cancel`, by: owner };
    await mustRefuse(desk, 'a withdrawal in an open batch was canceled', cancel);
  }
}
