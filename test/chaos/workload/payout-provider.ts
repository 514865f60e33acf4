import { setTimeout as pause } from 'node:timers/promises';
import { isOnly, setStates, type ExpectedBatch, type ExpectedItem } from '../oracle/payout.ts';
import { mustRefuse, pathOf, readBatch, type Desk } from './payout-batch.ts';

const LOOKS = 4;
const LOOK_MS = 1_500;

const BEGUN = `select id from payout_item where batch_id = $1 and sending_at is not null`;

/** Payouts whose sending has begun; none while the database is away. Until then a person may settle them instead. */
async function begun({ world }: Desk, batch: ExpectedBatch): Promise<Set<number>> {
  const rows = await world.stack.sql<{ id: number }>('wallet', BEGUN, [batch.id]).catch(() => []);
  return new Set(rows.map(({ id }) => id));
}

/** What must be refused about a batch that a provider pays: results, and a decision while it may be paying. */
async function intervene(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { random, checker: by } = desk;
  const sending = await begun(desk, batch);
  // A payout that the provider does not answer about becomes uncertain, and is a person's.
  const paying = batch.items.filter(
    ({ id, states }) => id !== undefined && sending.has(id) && states.has('sent') && !states.has('uncertain'),
  );
  if (paying.length === 0) return;
  const body = { status: random.pick(['paid', 'failed']), message: 'Too early' };
  const path = `${pathOf(batch)}/items/${random.pick(paying).id}`;
  await mustRefuse(desk, 'a payout was settled while a provider may be paying it', { method: 'PUT', path, by, body });
}

/** A person settles a payout about which the provider has given no answer. */
async function settleUncertain({ client, world, random, checker: by }: Desk, batch: ExpectedBatch, item: ExpectedItem) {
  const status = random.pick(['paid', 'failed'] as const);
  const path = `${pathOf(batch)}/items/${item.id}`;
  const body = { status, message: 'The provider said it by phone', provider_ref: `PHONE-${item.reference}` };
  const answer = await client.ask<unknown>({ method: 'PUT', path, by, body, refusals: [409] });
  if (answer.kind === 'refused') world.record.violation('an uncertain payout could not be settled by hand', answer);
  setStates(item, answer.kind === 'done' ? [status] : [...item.states, status]);
}

/** Watches a batch that a provider pays. What is uncertain stays so until a person settles it. */
export async function watchProvider(desk: Desk, batch: ExpectedBatch): Promise<void> {
  const { random, world } = desk;
  for (let look = 0; look < LOOKS && !world.giveUp.aborted; look += 1) {
    if (random.chance(0.4)) await intervene(desk, batch);
    await pause(random.pauseMs(LOOK_MS));
    if (!(await readBatch(desk, batch))) return;
  }
  const uncertain = batch.items.filter(({ states }) => isOnly(states, 'uncertain'));
  if (uncertain.length > 0) world.record.seen('a provider gave no answer about a payout');
  if (uncertain.length > 0 && random.chance(0.5)) await settleUncertain(desk, batch, random.pick(uncertain));
  await readBatch(desk, batch);
}
