import { isOnly, isOpen, setStates, type ExpectedBatch, type ExpectedItem, type ItemState } from '../oracle/payout.ts';
import type { Staff } from '../person.ts';
import type { Random } from '../seed.ts';
import type { World } from '../world.ts';
import type { Client, Request } from './client.ts';

/** One batch in the hands of two administrators: who makes it, and another one. `su` is one of them. */
export interface Desk {
  world: World;
  client: Client;
  random: Random;
  maker: Staff;
  checker: Staff;
  su: Staff;
}

export interface ShownBatch {
  id: number;
  status: string;
  count: number;
  amount: number;
  items: Record<ItemState, number>;
  needs_approval: boolean;
  version: number;
  exported_at: string | null;
  file: { sha256: string } | null;
}

interface ShownItem {
  id: number;
  reference: string;
  amount: number;
  status: ItemState;
}

export const BATCHES = 'api/admin/payout-batches';
export const pathOf = ({ id }: Pick<ExpectedBatch, 'id'>) => `${BATCHES}/${id}`;

/** Sends a request that the interface must refuse. */
export async function mustRefuse(
  { client, world }: Pick<Desk, 'client' | 'world'>,
  what: string,
  request: Request,
  statuses = [409],
): Promise<void> {
  const answer = await client.ask({ ...request, refusals: statuses });
  if (answer.kind === 'done') world.record.violation(what, { path: request.path, body: request.body });
}

/** A withdrawal that was taken out of its batch waits for the next one. */
function giveBack({ oracle }: World, item: ExpectedItem): void {
  if (!isOnly(item.states, 'removed')) return;
  const { withdrawal } = item;
  if (withdrawal.item !== item) return;
  delete withdrawal.item;
  oracle.payable.push(withdrawal);
}

function compareItem({ record, oracle }: World, batch: ExpectedBatch, item: ExpectedItem, row?: ShownItem): void {
  const { reference, states, withdrawal } = item;
  if (!row || row.amount !== withdrawal.amount || !states.has(row.status)) {
    record.violation('a payout differs from the oracle', { batch: batch.id, reference, states: [...states], row });
    return;
  }
  item.id = row.id;
  // An item that was removed before is not the newest payout of its withdrawal any more.
  if (withdrawal.item !== item) return;
  setStates(item, [row.status]);
  giveBack({ oracle } as World, item);
}

/** Compares the sums and the status of a batch with its items, unless a provider may move them. */
function compareBatch({ record }: World, batch: ExpectedBatch, shown: ShownBatch): void {
  if (batch.format === 'provider' && shown.exported_at !== null) return;
  const counted = batch.items.filter(({ states }) => !isOnly(states, 'removed'));
  const amount = counted.reduce((sum, { withdrawal }) => sum + withdrawal.amount, 0);
  const states = Object.entries(shown.items).filter(
    ([state, count]) => batch.items.filter((item) => isOnly(item.states, state as ItemState)).length !== count,
  );
  if (shown.count !== counted.length || shown.amount !== amount || states.length > 0)
    record.violation('a batch does not add up', { shown, expected: { count: counted.length, amount } });
  const hasOpen = counted.some(isOpen);
  if (shown.status === 'exported' && !hasOpen) record.violation('a batch without open payouts is not closed', shown);
  if (shown.status === 'closed' && hasOpen) record.violation('a batch with open payouts is closed', shown);
}

/** Reads a batch whose items nobody but a provider moves, and learns which of the possible states they are in. */
export async function readBatch(desk: Desk, batch: ExpectedBatch): Promise<ShownBatch | undefined> {
  const { client, world, maker: by } = desk;
  const path = pathOf(batch);
  const shown = await client.get<ShownBatch>({ path, by });
  const page = await client.get<{ data: ShownItem[] }>({ path: `${path}/items?pageItems=100`, by });
  if (!shown || !page) return undefined;
  for (const item of batch.items)
    compareItem(
      world,
      batch,
      item,
      page.data.find(({ reference }) => reference === item.reference),
    );
  if (page.data.length !== batch.items.length)
    world.record.violation('a batch holds other withdrawals than it was made of', { batch: batch.id, rows: page.data });
  compareBatch(world, batch, shown);
  return shown;
}
