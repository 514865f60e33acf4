import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, openRoom, register, type Person } from './people.ts';
import { SOON_MS, startSystem, type GatewayName, type System } from './system.ts';

let system: System;
let student: Person;
let teacher: Person;

beforeAll(async () => {
  system = await startSystem();
  await system.start('second gateway');
  student = await register(system, 'student', 'Awa Two');
  teacher = await register(system, 'teacher', 'Ben Two');
});
afterAll(() => system.stop());

async function isLetIn(through: GatewayName, token: string): Promise<boolean> {
  const { status, body } = await as(system, token, through).get('api/me');
  expect([200, 401, 403]).toContain(status);
  return status === 200 && body.success === true;
}
const isShutOut = (through: GatewayName, token: string) => async () => !(await isLetIn(through, token));

/** Opens the stream of `token` on that gateway. Returns a function that tells whether it has ended. */
async function streamEnds(through: GatewayName, token: string): Promise<() => boolean> {
  let ended = false;
  const response = await system.openStream(token, through);
  expect(response.status).toBe(200);
  void response.text().finally(() => (ended = true));
  return () => ended;
}

test('a message sent through one gateway arrives once through the other', async () => {
  const room = await openRoom(system, student, teacher);
  const listeners = await Promise.all([
    system.listen(teacher.token, 'second gateway'),
    system.listen(student.token, 'gateway'),
  ]);
  const sent: number[] = [];
  for (const [turn, through] of (['gateway', 'second gateway', 'gateway', 'second gateway'] as const).entries()) {
    const path = `api/rooms/${room}/messages`;
    const answer = await as(system, student.token, through).post(path, { message: `turn ${turn}` });
    sent.push(data<{ id: number }>(answer).id);
  }
  for (const listener of listeners) {
    const heard = () => listener.events.filter(({ event }) => event === 'message.created');
    await eventually('the last message', () => heard().length >= sent.length);
    expect(heard().map(({ data: message }) => message['id'])).toEqual(sent);
    listener.close();
  }
});

test('logged out through one gateway, a token is refused and its stream closed by the other at once', async () => {
  expect(await isLetIn('gateway', student.token)).toBe(true);
  expect(await isLetIn('second gateway', student.token)).toBe(true);
  const hasEnded = await streamEnds('second gateway', student.token);
  data(await as(system, student.token).post('api/auth/logout'));
  await eventually('the token is refused', isShutOut('second gateway', student.token), SOON_MS);
  await eventually('the stream is closed', hasEnded, SOON_MS);
});

test('banned through one gateway, an account is shut out by the other at once', async () => {
  expect(await isLetIn('gateway', teacher.token)).toBe(true);
  const hasEnded = await streamEnds('gateway', teacher.token);
  const admin = as(system, await adminToken(system), 'second gateway');
  data(await admin.put(`api/admin/users/${teacher.id}`, { status: 'banned' }));
  await eventually('the token is refused', isShutOut('gateway', teacher.token), SOON_MS);
  await eventually('the stream is closed', hasEnded, SOON_MS);
});
