import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { STORED_LIVE } from '@tutoring/shared/kit/events/bus';
import { deskPresence } from '@tutoring/shared/contract/desk';
import { startReplica } from '@tutoring/shared/testing/replica';
import { eventually } from '@tutoring/shared/testing/wait';
import { startDesk, type Desk } from './desk-kit.ts';

let desk: Desk;
let replica: Awaited<ReturnType<typeof startReplica>>;
beforeAll(async () => {
  desk = await startDesk();
  replica = await startReplica(desk.service, new URL('../src/main.ts', import.meta.url));
});
afterAll(async () => {
  replica.kill();
  await replica.exited;
  await desk.stop();
});

const PATH = '/api/admin/desk/presence';
const clerk = (id: number, name: string) => ({
  ...{ kind: 'admin' as const, id, name, level: 'default', tokenId: id, rights: ['desk'] },
});
const there = () => replica.api.as(clerk(2, 'Bob'));
const others = async (who: Desk['ada'], caseId: number, state = 'viewing') =>
  (await who.put(PATH, { case_id: caseId, state })).body.others;

test('replicas see who is at a case, live, without an outbox', async () => {
  const asked = await desk.asks();
  const { id } = asked.case;
  const heard: unknown[] = [];
  const { connection, subject } = desk.service.service.bus;
  const subscription = connection.subscribe(subject(`${STORED_LIVE}.admins.transient.messaging`), {
    callback: (_error, message) => void heard.push(message.json<{ data: unknown }>().data),
  });
  await connection.flush();
  expect(await others(desk.ada, id)).toEqual([]);
  await eventually('Bob sees Ada on the other replica', async () => (await others(there(), id, 'typing')).length > 0);
  expect(await others(there(), id, 'typing')).toEqual([{ id: 1, name: 'Ada', state: 'viewing' }]);
  await eventually('Ada sees Bob', async () => (await others(desk.ada, id)).length > 0);
  expect(await others(desk.ada, id)).toEqual([{ id: 2, name: 'Bob', state: 'typing' }]);
  expect(await others(desk.ada, (await desk.asks()).case.id)).toEqual([]);
  await others(there(), id, 'left');
  await eventually('Bob has left', async () => (await others(desk.ada, id)).length === 0);

  const isLeft = (data: unknown) => JSON.stringify(data).includes('"left"');
  expect(await eventually('the event is heard', () => heard.find(isLeft))).toEqual({
    ...{ case_id: id, id: 2, name: 'Bob', state: 'left' },
  });
  for (const data of heard) expect(deskPresence.safeParse(data).success).toBe(true);
  expect((await desk.service.live()).filter(({ event }) => event === 'desk.presence')).toEqual([]);
  subscription.unsubscribe();
});

test.each([{}, { case_id: 987_654, state: 'viewing' }, { case_id: 1, state: 'away' }, { state: 'viewing' }])(
  '%j is a 422',
  async (body) => {
    expect((await desk.ada.put(PATH, body)).status).toBe(422);
  },
);
