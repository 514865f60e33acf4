import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startNats, type Server } from '../../../deploy/local/servers.ts';
import { startMessaging, type Messaging } from './kit.ts';
import { scaled } from '@tutoring/shared/testing/scale';

const MESSAGES = scaled(10_000, 500);
const SENDERS = 50;
const ROOMS = 20;
const RESTARTS = 3;

let folder: string;
let nats: Server;
let messaging: Messaging;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'messaging-nats-'));
  nats = await start();
  messaging = await startMessaging({ NATS_URL: nats.url });
});
afterAll(async () => {
  await messaging.stop();
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (port?: number) => startNats({ dataDir: join(folder, 'nats'), port, log: () => undefined });

const natsProcess = async () => Number(await readFile(join(folder, 'nats', 'nats.pid'), 'utf8'));

interface LiveMessage {
  subject: string;
  name: string;
  id: number;
  room: string;
}

/** All messages of the live stream, in stream order. */
async function readLiveStream(): Promise<LiveMessage[]> {
  const { bus } = messaging.service.service;
  const stream = bus.named('live');
  const info = await bus.jsm.streams.info(stream);
  const consumer = await bus.js.consumers.get(stream);
  const found: LiveMessage[] = [];
  const messages = await consumer.consume();
  for await (const message of messages) {
    const event = message.json<{ name: string; data: { id: number; room_uuid: string } }>();
    found.push({ subject: message.subject, name: event.name, id: event.data.id, room: event.data.room_uuid });
    if (message.seq === info.state.last_seq) break;
  }
  return found;
}

test('every message is published exactly once and in order while NATS is killed and restarted under load', async () => {
  const rooms = await Promise.all(
    Array.from({ length: ROOMS }, (_none, index) => messaging.pair(100 + index, 200 + (index % 5))),
  );
  let next = 0;
  let sent = 0;
  const answers: { id: number; room: string }[] = [];
  async function sendOn() {
    for (let mine = next++; mine < MESSAGES; mine = next++) {
      const room = rooms[mine % ROOMS]!;
      const side = mine % 3 === 0 ? room.teacher : room.student;
      // A busy service answers 503; an app retries.
      const answer = await eventually(`message ${mine}`, async () => {
        const body = { message: `m${mine}`, client_message_id: `m${mine}` };
        const response = await side.post(`/api/rooms/${room.uuid}/messages`, body);
        expect([200, 503]).toContain(response.status);
        return response.status === 200 && response;
      });
      answers.push({ id: answer.body.id, room: room.uuid });
      sent += 1;
    }
  }
  async function restartNats() {
    for (let round = 1; round <= RESTARTS; round += 1) {
      await eventually('more messages are sent', () => sent >= (MESSAGES * round) / (RESTARTS + 1), 480_000);
      if (round % 2 === 1) process.kill(await natsProcess(), 'SIGKILL');
      else await nats.stop();
      await nats.exited;
      await eventually('the outbox has unsent events', async () => {
        const [waiting] = await messaging.service.rows<{ n: number }>(
          'select count(*) as n from outbox where sent_at is null',
        );
        return sent >= MESSAGES || waiting!.n > 0;
      });
      nats = await start(nats.port);
    }
  }
  await Promise.all([...Array.from({ length: SENDERS }, sendOn), restartNats()]);
  await eventually(
    'the outbox is empty',
    async () => (await messaging.service.rows('select 1 from outbox where sent_at is null limit 1')).length === 0,
    240_000,
  );
  expect(answers).toHaveLength(MESSAGES);
  const created = (await readLiveStream()).filter(({ name }) => name === 'message.created');
  const subjects = Map.groupBy(created, ({ subject, room }) => `${subject} ${room}`);
  const { bus } = messaging.service.service;
  expect([...subjects.keys()].sort()).toEqual(
    rooms
      .map(({ uuid }, index) => `${bus.subject(`live.user.${100 + index}.${200 + (index % 5)}.messaging`)} ${uuid}`)
      .sort(),
  );
  for (const [key, events] of subjects) {
    const expected = answers.filter(({ room }) => key.endsWith(room)).map(({ id }) => id);
    expect([key, events.map(({ id }) => id)]).toEqual([key, expected.sort((a, b) => a - b)]);
  }
}, 1_800_000);
