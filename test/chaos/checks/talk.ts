import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world.ts';
import type { Client } from '../workload/client.ts';
import type { Listener } from '../workload/listener.ts';

const DELIVERY_MS = 10_000;

interface Stored {
  id: number;
  room: string;
  sender: number;
  text: string;
  at: string;
}

const MESSAGES = `
  select id, room_uuid::text as room, sender_id as sender, message as text, created_at as at from message order by id`;
const SUPPORT = `
  select m.id, 'support:' || r.user_id as room, m.sender_id as sender, m.message as text, m.created_at as at
  from support_message m join support_room r on r.uuid = m.room_uuid order by m.id`;

function checkStored(world: World, stored: Stored[]): void {
  const byText = Map.groupBy(stored, ({ text }) => text);
  for (const expected of world.oracle.messages.values()) {
    const found = byText.get(expected.text) ?? [];
    if (found.length > 1) world.record.violation('a message is stored twice', found);
    const [row] = found;
    if (!row && expected.made === 'must') world.record.violation('a confirmed message is lost', expected);
    if (row && (row.room !== expected.room || row.sender !== expected.sender || (expected.id ?? row.id) !== row.id))
      world.record.violation('a message differs from the one that was sent', { expected, row });
  }
  for (const row of stored)
    if (!world.oracle.messages.has(row.text)) world.record.violation('a message that nobody sent is stored', row);
}

/** Checks that the confirmed messages of each sender have rising ids. */
function checkOrder(world: World): void {
  const last = new Map<string, number>();
  for (const { room, sender, id, made } of world.oracle.messages.values()) {
    if (made !== 'must' || id === undefined) continue;
    const key = `${room} ${sender}`;
    if ((last.get(key) ?? 0) >= id)
      world.record.violation('messages are not in the order of sending', { room, sender, id });
    last.set(key, id);
  }
}

/** Checks that the lists of the interface equal the table, in the same order. */
async function checkListings(world: World, client: Client, stored: Stored[]): Promise<void> {
  for (const { room, student, teacher } of world.oracle.pairs) {
    const ids = stored.filter((row) => row.room === room).map(({ id }) => id);
    for (const by of [student, teacher]) {
      const path = `api/rooms/${room}/messages`;
      const shown = (await client.get<{ id: number }[]>({ path, by })) ?? [];
      const expected = ids.slice(-500);
      if (shown.map(({ id }) => id).join() !== expected.join())
        world.record.violation('a list of messages differs from the table', {
          room,
          shown: shown.length,
          has: ids.length,
        });
    }
    await client.get({ path: 'api/support/messages', by: student });
    const unread = await client.get<{ total: number }>({ path: 'api/rooms/unread', by: student });
    if (unread?.total !== 0) world.record.violation('read messages count as unread', unread);
  }
}

/** The events that a listener must have received since its stream was last complete, and those that it received. */
function deliveriesTo(world: World, { person, received, resyncedAt, completeSince }: Listener, stored: Stored[]) {
  const pair = world.oracle.pairs.find(({ student, teacher }) => student.id === person.id || teacher.id === person.id)!;
  const after = received.slice(resyncedAt).filter(({ event }) => event === 'message.created');
  const complete = after.map(({ data }) => Number(data['id']));
  // Two seconds of tolerance: a message is stored before its event is sent.
  const expected = stored.filter(({ room, at }) => room === pair.room && Date.parse(at) > completeSince + 2_000);
  return { complete, expected, missing: expected.filter(({ id }) => !complete.includes(id)) };
}

/** Checks that a listener received every message of its room once, in order. */
async function checkDeliveries(world: World, listener: Listener, stored: Stored[]): Promise<void> {
  const { person, received, resyncedAt } = listener;
  // A broken stream needs time to resume.
  const deadline = performance.now() + DELIVERY_MS;
  while (deliveriesTo(world, listener, stored).missing.length > 0 && performance.now() < deadline) await pause(200);
  const { complete, expected, missing } = deliveriesTo(world, listener, stored);
  const ids = received.filter(({ event }) => event === 'message.created').map(({ data }) => Number(data['id']));
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (doubled.length > 0 && resyncedAt === 0)
    world.record.violation('an event was heard twice', { person: person.email, doubled: doubled.slice(0, 5) });
  if (missing.length > 0)
    world.record.violation('an event was never heard', { person: person.email, missing: missing.slice(0, 5) });
  const inOrder = complete.filter((id) => expected.some((row) => row.id === id));
  if (inOrder.join() !== inOrder.toSorted((a, b) => a - b).join())
    world.record.violation('events were received out of order', { person: person.email });
}

async function checkFiles({ oracle, record }: World): Promise<void> {
  for (const { url, bytes } of oracle.files) {
    const response = await fetch(url).catch(() => undefined);
    const found = response?.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    const isWhole = bytes ? found?.equals(bytes) : found && response?.headers.get('content-type')?.startsWith('image/');
    if (!isWhole)
      record.violation('a confirmed file has not its bytes', {
        url,
        status: response?.status,
        sha256: found && createHash('sha256').update(found).digest('hex'),
      });
  }
}

/** For an idle system: messages are stored once, in order, were delivered to listeners, and files have their bytes. */
export async function checkTalk(world: World, client: Client, listeners: Listener[]): Promise<void> {
  const stored = await world.stack.sql<Stored>('messaging', MESSAGES);
  const support = await world.stack.sql<Stored>('messaging', SUPPORT);
  checkStored(world, [...stored, ...support]);
  checkOrder(world);
  await checkListings(world, client, stored);
  for (const listener of listeners) await checkDeliveries(world, listener, stored);
  await checkFiles(world);
}
