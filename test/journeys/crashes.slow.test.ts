import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/contract/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { data, payDeposit, register, type Person } from './people.ts';
import { startSystem, type ProcessName, type System } from './system.ts';

/*
 * A lesson during which every process is killed and restarted: an app that retries succeeds, and no money is lost or
 * moved twice.
 */

let system: System;
let student: Person;
let teacher: Person;

beforeAll(async () => {
  system = await startSystem();
  student = await register(system, 'student', 'Crash Student');
  teacher = await register(system, 'teacher', 'Crash Teacher');
});
afterAll(async () => {
  await system.stop();
});

/** Longer than a restart of a process takes on a slow machine. */
const PATIENCE_MS = 240_000;

/** Retries until success, as an app does. */
const insist = <T>(what: string, person: Person, method: string, path: string, body?: unknown, key?: string) =>
  eventually(
    what,
    async () => {
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const options = { token: person.token, headers, ...(body !== undefined && { body }) };
      const answer = await system.request(method, path, options).catch(() => undefined);
      return answer?.status === 200 && answer.body?.success === true ? { value: data<T>(answer) } : undefined;
    },
    PATIENCE_MS,
  ).then(({ value }) => value);

/** Kills and restarts a process while `work` is in flight, and waits for both. */
async function during<T>(name: ProcessName, work: () => Promise<T>): Promise<T> {
  const working = work();
  await system.kill(name);
  await system.start(name);
  return working;
}

test('a lesson succeeds although every process is killed during it', async () => {
  const deposit = await during('wallet', () =>
    insist<{ id: number }>('deposit', student, 'POST', 'api/deposits', { amount: 5_000 }, 'top-up'),
  );
  const paid = async () => (await payDeposit(system, deposit.id).catch(() => undefined))?.body?.received === true;
  await during('wallet', () => eventually('webhook', paid, PATIENCE_MS));
  const room = await during('identity', () =>
    insist<{ uuid: string }>('room', student, 'POST', 'api/rooms', { teacher_id: teacher.id }),
  );
  const path = `api/rooms/${room.uuid}/messages`;
  await during('messaging', () => insist('message', student, 'POST', path, { message: 'Hello' }, 'hello'));

  const call = { teacher_user_id: teacher.id, call_type: 'audio' };
  await during('calls', () => insist('init', student, 'POST', 'api/call/init', call));
  const pickUp = { student_user_id: student.id, call_type: 'audio' };
  // A call rings for 45 s. Two processes may take longer to start, so the student rings again.
  const answered = async () => {
    await system.request('POST', 'api/call/init', { token: student.token, body: call }).catch(() => undefined);
    const answer = await system
      .request('POST', 'api/call/accept', { token: teacher.token, body: pickUp })
      .catch(() => undefined);
    return answer?.body?.success === true && data<{ transaction: { identifier: string } }>(answer);
  };
  const { transaction } = await during('wallet', () => eventually('accept', answered, PATIENCE_MS));
  const { identifier } = transaction;
  const bill = () => insist('bill', teacher, 'POST', 'api/call/bill', { identifier });
  await during('calls', bill);
  await system.shiftCallClock(61);
  await during('wallet', bill);
  await system.shiftCallClock(90);
  const end = { room_uuid: room.uuid, identifier };
  await during('gateway', () => insist('end', teacher, 'POST', 'api/call/end', end));
  for (const name of SERVICES) await during(name, () => Promise.resolve());

  const record = () =>
    insist<{ accepted_at: string; ended_at: string }>('call', student, 'GET', `api/calls/${identifier}`);
  const { accepted_at: from, ended_at: to } = await record();
  // The duration depends on the start of the processes. AUDIO costs 50, and 25 for each started minute.
  const steps = Math.floor((Date.parse(to) - Date.parse(from)) / 60_000) + 1;
  expect(steps).toBeGreaterThan(1);
  const cost = 50 + 25 * steps;
  const wallet = (person: Person) => insist<{ balance: number; held: number }>('wallet', person, 'GET', 'api/wallet');
  await eventually(
    'everything is settled',
    async () => {
      const [paying, earning] = [await wallet(student), await wallet(teacher)];
      return paying.balance === 5_000 - cost && paying.held === 0 && earning.balance === cost;
    },
    PATIENCE_MS,
  );
  const messages = await insist<{ message: string }[]>('messages', teacher, 'GET', path);
  expect(messages.map(({ message }) => message)).toEqual(['Hello']);
  expect(await record()).toMatchObject({ state: 'ended', steps, total_cost: cost });
}, 1_800_000);
