import { createHash } from 'node:crypto';
import { isOpen, setStates, type ExpectedBatch, type ExpectedItem } from '../oracle/payout.ts';
import type { Staff } from '../person.ts';
import type { Random } from '../seed.ts';
import type { World } from '../world.ts';
import type { Client } from './client.ts';
import { mustRefuse, pathOf, readBatch, type Desk, type ShownBatch } from './payout-batch.ts';
import { intrude, makeBatch } from './payout-make.ts';
import { watchProvider } from './payout-provider.ts';
import { reportResults, returnPaid, settleByHand } from './payout-results.ts';

const MOST_ITEMS = 8;
const MOST_WAITING = 5;
const ROUNDS = 5;

const step = (
  { client }: Desk,
  batch: ExpectedBatch,
  what: 'approve' | 'cancel' | 'export',
  by: Staff,
  body: object = {},
) => client.ask<ShownBatch>({ method: 'POST', path: `${pathOf(batch)}/${what}`, by, body, refusals: [409] });

const waiting = ({ items }: ExpectedBatch) => items.filter(({ states }) => states.has('waiting'));
const mayBe = (items: ExpectedItem[], state: 'removed' | 'sent') =>
  items.forEach((item) => setStates(item, [...item.states, state]));

/** An item is removed, while or before another administrator approves the batch as it was. */
async function removeOne(desk: Desk, batch: ExpectedBatch, seen: number): Promise<void> {
  const { client, world, random, maker: by, checker } = desk;
  const item = random.pick(waiting(batch));
  mayBe([item], 'removed');
  const path = `${pathOf(batch)}/items/${item.id}`;
  const remove = () => client.ask({ method: 'DELETE', path, by, refusals: [409] });
  const approve = () => step(desk, batch, 'approve', checker, { expected_version: seen });
  const [removed, approved] = random.chance(0.5)
    ? await Promise.all([remove(), approve()])
    : [await remove(), await approve()];
  if (removed.kind === 'done') setStates(item, ['removed']);
  if (removed.kind === 'done' && approved.kind === 'done')
    world.record.violation('items that had changed were approved', { batch: batch.id, seen, removed: item.reference });
}

/** Cancels a batch, sometimes while it is exported. */
async function cancel(desk: Desk, batch: ExpectedBatch, isRace: boolean): Promise<ShownBatch | undefined> {
  const { world, maker, checker } = desk;
  const open = waiting(batch);
  mayBe(open, 'removed');
  if (isRace) mayBe(open, 'sent');
  const [canceled, exported] = await Promise.all([
    step(desk, batch, 'cancel', checker),
    isRace ? step(desk, batch, 'export', maker) : undefined,
  ]);
  if (canceled.kind === 'done' && exported?.kind === 'done')
    world.record.violation('a batch was canceled and exported', { batch: batch.id });
  return readBatch(desk, batch);
}

/** Brings a draft to its approval. Returns the batch as it then is; undefined when there is nothing left to do. */
async function approve(desk: Desk, batch: ExpectedBatch): Promise<ShownBatch | undefined> {
  const { world, random, maker, checker } = desk;
  let shown = await readBatch(desk, batch);
  if (!shown) return undefined;
  if (random.chance(0.3)) await intrude(desk, batch);
  if (batch.items.length > 1 && random.chance(0.5)) {
    await removeOne(desk, batch, shown.version);
    shown = await readBatch(desk, batch);
  }
  if (shown?.status !== 'draft') return shown;
  if (random.chance(0.1)) return cancel(desk, batch, false);
  const path = `${pathOf(batch)}/approve`;
  if (shown.needs_approval && random.chance(0.3))
    await mustRefuse(desk, 'a maker approved the own batch', { method: 'POST', path, by: maker, body: {} });
  const by = shown.needs_approval ? checker : random.pick([maker, checker]);
  const approved = await step(desk, batch, 'approve', by, { expected_version: shown.version });
  const after = await readBatch(desk, batch);
  if (approved.kind !== 'lost' && after && after.status !== 'approved')
    world.record.violation('a batch could not be approved', { shown, after });
  return after;
}

/** The bytes of the file and their digest by the answer; undefined without an answer. */
export async function download({ stack }: World, batch: ExpectedBatch, by: Staff) {
  const answer = await fetch(`${stack.url}/${pathOf(batch)}/file`, {
    headers: { authorization: `Bearer ${by.token}` },
    signal: AbortSignal.timeout(12_000),
  })
    .then(async (response) => ({ response, bytes: Buffer.from(await response.arrayBuffer()) }))
    .catch(() => undefined);
  if (answer?.response.status !== 200) return undefined;
  return { bytes: answer.bytes, digest: answer.response.headers.get('content-digest') };
}

/** The file has always the same bytes, and the payouts of the batch, each once. */
async function checkFile({ world, checker }: Desk, batch: ExpectedBatch): Promise<void> {
  const file = await download(world, batch, checker);
  if (!file) return;
  const digest = createHash('sha256').update(file.bytes);
  const wanted = digest.copy().digest('hex');
  if (wanted !== batch.sha256 || file.digest !== `sha-256=:${digest.digest('base64')}:`)
    world.record.violation('a file has other bytes than were exported', { batch: batch.id, wanted, file: file.digest });
  const lines = file.bytes.toString().split('\r\n').slice(1, -1);
  const expected = batch.items.filter(({ states }) => !states.has('removed'));
  const isThere = ({ reference, withdrawal }: ExpectedItem) =>
    lines.filter((line) => line.startsWith(`${reference},${withdrawal.amount},`)).length === 1;
  if (lines.length !== expected.length || !expected.every(isThere))
    world.record.violation('a file holds other payouts than its batch', { batch: batch.id, lines });
}

/** Exports a batch, sometimes repeatedly or by two at once: the file is written once. */
async function exportBatch(desk: Desk, batch: ExpectedBatch): Promise<ShownBatch | undefined> {
  const { world, random, maker, checker } = desk;
  const open = waiting(batch);
  mayBe(open, 'sent');
  const both = random.chance(0.4) ? [maker, checker] : [maker];
  const answers = await Promise.all(both.map((by) => step(desk, batch, 'export', by)));
  if (random.chance(0.3)) answers.push(await step(desk, batch, 'export', checker));
  for (const answer of answers) {
    if (answer.kind === 'refused') world.record.violation('an approved batch could not be exported', answer);
    if (answer.kind !== 'done') continue;
    const { sha256 } = answer.data.file ?? {};
    if (batch.format === 'csv') batch.sha256 ??= sha256 ?? 'none';
    if (batch.sha256 !== sha256) world.record.violation('a repeated export wrote another file', { batch: batch.id });
    open.forEach((item) => setStates(item, ['sent']));
  }
  if (batch.sha256 !== undefined) await checkFile(desk, batch);
  return readBatch(desk, batch);
}

/** The results of an exported batch come in, in several reports and by hand; what came back is returned. */
async function settle(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { random, world } = desk;
  if (batch.format === 'provider') await watchProvider(desk, batch);
  const rounds = batch.format === 'provider' ? 0 : ROUNDS;
  for (let round = 0; round < rounds && batch.items.some(isOpen) && !world.giveUp.aborted; round += 1) {
    if (random.chance(0.3)) await intrude(desk, batch);
    await reportResults(desk, batch);
    if (random.chance(0.3)) await settleByHand(desk, batch);
    if (!(await readBatch(desk, batch))) return;
  }
  await returnPaid(desk, batch);
  if (random.chance(0.3)) await step(desk, batch, 'export', desk.maker);
  if (batch.sha256 !== undefined && random.chance(0.3)) await checkFile(desk, batch);
  await readBatch(desk, batch);
}

/** Administrators who pay the withdrawals that wait, a batch at a time. */
export function createDesk(world: World, client: Client, staff: readonly [Staff, Staff]) {
  return async (random: Random): Promise<void> => {
    const { payable } = world.oracle;
    // Most batches wait until there are several withdrawals.
    if (payable.length < random.between(1, MOST_WAITING)) return;
    const taken = payable.splice(0, random.between(2, MOST_ITEMS));
    const [maker, checker] = random.shuffled(staff) as [Staff, Staff];
    const made = await makeBatch({ world, client, random, maker, checker, su: staff[0] }, taken);
    if (!made) return;
    const { batch, desk } = made;
    world.record.seen('a batch of payouts was made');
    let shown = await approve(desk, batch);
    if (shown?.status !== 'approved') return;
    if (random.chance(0.15)) shown = await cancel(desk, batch, random.chance(0.6));
    if (shown && ['approved', 'exported'].includes(shown.status)) shown = await exportBatch(desk, batch);
    if (shown && ['exported', 'closed'].includes(shown.status) && waiting(batch).length === 0)
      await settle(desk, batch);
  };
}
