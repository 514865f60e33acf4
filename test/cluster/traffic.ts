import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/contract/names';
import { LOCK_MS } from '@tutoring/shared/kit/process/deadlines';
import { eventually } from '@tutoring/shared/testing/wait';
import { payDeposit } from '../journeys/people.ts';
import { startLesson, systemOf } from './lesson.ts';
import type { Deployment } from './replicas.ts';

/** Time-out of a request, which is then repeated. */
const PATIENCE_MS = 15_000;
/** A request that is not confirmed within this time fails the test. */
const GIVES_UP_MS = 180_000;
/** More than the number of requests in flight. */
const IN_FLIGHT = 12;
/** Pause between two deposits of a writer: one address may send 600 webhooks a minute. */
const BETWEEN_DEPOSITS_MS = 250;
/** Pause between two other actions: keeps the load at some hundred requests a second. */
const BETWEEN_ACTIONS_MS = 50;

/** Paths that the student reads in between. */
const READ_PATHS = ['api/me', 'api/teachers', 'api/wallet', 'api/rooms', 'api/services', 'api/calls'];

export interface Traffic {
  /** The student who pays the deposits. */
  studentId: number;
  /** Confirmed writes so far. */
  confirmed(): number;
  /** Requests so far. */
  sent(): number;
  /** Repeated requests so far. */
  repeats(): number;
  /** Reasons of failed attempts, with their numbers; without refusals by a busy service. */
  failures(): Record<string, number>;
  /** Sends one new request. Throws when it is not confirmed. */
  writeOnce(): Promise<unknown>;
  /** Lets every writer finish its request. Returns the confirmed writes. */
  stop(): Promise<{ messages: string[]; deposits: number; longestMs: number }>;
}

/**
 * Whether the attempt has waited as long as for a lock, the shortest time-out of a busy service. What a stopping process
 * breaks is refused at once.
 */
const isByBusyService = (error: unknown, since: number) =>
  error instanceof Error && error.message.startsWith('503 ') && performance.now() - since >= LOCK_MS;

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause && reasonOf(error.cause)].filter(Boolean).join(': ')
    : String(error);

/**
 * Clients that behave like apps: each repeats its request with the same Idempotency-Key until it succeeds. During a
 * call that is billed, a student reads, writes messages and pays deposits.
 */
export async function startTraffic(deployment: Pick<Deployment, 'url' | 'codeFor'>): Promise<Traffic> {
  const system = systemOf(deployment);
  const { student, teacher, room, call } = await startLesson(system);
  const messages: string[] = [];
  let deposits = 0;
  const failures = new Map<string, number>();
  let repeats = 0;
  let sent = 0;
  let longestMs = 0;
  let isOver = false;

  /** Returns the answer's data; throws for anything but a success. */
  async function attempt(path: string, init: RequestInit, { token } = student): Promise<unknown> {
    sent += 1;
    const response = await fetch(`${deployment.url}/${path}`, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const answer = response.status === 200 ? (JSON.parse(text) as { success: boolean; data: unknown }) : undefined;
    if (answer?.success !== true) throw new Error(`${response.status} ${text}`);
    return answer.data;
  }

  async function confirmed<T>(what: string, tries: () => Promise<T>): Promise<T> {
    const since = performance.now();
    for (;;) {
      const tried = performance.now();
      try {
        const done = await tries();
        longestMs = Math.max(longestMs, performance.now() - since);
        return done;
      } catch (error) {
        repeats += 1;
        const reason = `${what}: ${reasonOf(error)}`;
        if (!isByBusyService(error, tried)) failures.set(reason, (failures.get(reason) ?? 0) + 1);
        if (performance.now() - since > GIVES_UP_MS)
          throw new Error(`${what} did not succeed within ${GIVES_UP_MS / 1000} s`, { cause: error });
        await pause(100);
      }
    }
  }

  /** A POST request with a new Idempotency-Key. */
  const posting = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  const post = (path: string, body: unknown) => {
    const init = posting(body);
    return confirmed(path, () => attempt(path, init));
  };

  async function deposit(): Promise<void> {
    const { id } = (await post('api/deposits', { amount: 500 })) as { id: number };
    await confirmed('the payment', async () => {
      const { status, text } = await payDeposit(system, id);
      if (status !== 200) throw new Error(`${status} ${text}`);
    });
    deposits += 1;
  }

  async function write(): Promise<void> {
    const message = `Line ${randomUUID()}`;
    await post(`api/rooms/${room}/messages`, { message, type: 'message' });
    messages.push(message);
  }

  async function readAndBill(): Promise<void> {
    for (const path of READ_PATHS) await confirmed(path, () => attempt(path, {}));
    await confirmed('the bill', () => attempt('api/call/bill', posting({ identifier: call }), teacher));
  }

  async function repeat(action: () => Promise<void>, betweenMs: number): Promise<void> {
    while (!isOver) {
      await action();
      await pause(betweenMs);
    }
  }

  const writers = [
    ...[deposit, deposit].map((action) => repeat(action, BETWEEN_DEPOSITS_MS)),
    ...[write, write, write, write, readAndBill].map((action) => repeat(action, BETWEEN_ACTIONS_MS)),
  ];
  // `stop` rethrows the error.
  for (const writer of writers) writer.catch(() => undefined);
  return {
    studentId: student.id,
    confirmed: () => messages.length + deposits,
    sent: () => sent,
    repeats: () => repeats,
    failures: () => Object.fromEntries(failures),
    writeOnce: () => attempt(`api/rooms/${room}/messages`, posting({ message: 'Anew', type: 'message' })),
    stop: async () => {
      isOver = true;
      await Promise.all(writers);
      return { messages, deposits, longestMs: Math.round(longestMs) };
    },
  };
}

/** Waits until every writer's requests are confirmed again. */
export function waitForProgress(traffic: Traffic): Promise<unknown> {
  const before = traffic.confirmed();
  return eventually('requests succeed again', () => traffic.confirmed() > before + IN_FLIGHT, GIVES_UP_MS);
}

/** Waits until a new request is confirmed and its event is published, and then until interrupted requests are, too. */
export async function waitUntilResumed(deployment: Pick<Deployment, 'sql'>, traffic: Traffic): Promise<void> {
  await eventually(
    'a new request succeeds',
    () =>
      traffic.writeOnce().then(
        () => true,
        () => false,
      ),
    GIVES_UP_MS,
  );
  const [newest] = await deployment.sql('messaging', 'select max(id) as id from outbox');
  const sent = `select from outbox where id = ${String(newest?.['id'])} and sent_at is not null`;
  await eventually(
    'its event is sent',
    async () => (await deployment.sql('messaging', sent)).length === 1,
    GIVES_UP_MS,
  );
  // Includes requests that were lost with the primary: their keys can be used again after half a minute.
  await waitForProgress(traffic);
}

/** Stops the traffic and checks that no confirmed write is lost or duplicated and that every event is published. */
export async function checkNothingIsLost(deployment: Pick<Deployment, 'sql'>, traffic: Traffic): Promise<void> {
  const { messages, deposits, longestMs } = await traffic.stop();
  process.stdout.write(
    `${messages.length + deposits} writes confirmed, ${traffic.repeats()} repeats, longest ${(longestMs / 1000).toFixed(1)} s\n`,
  );
  const stored = await deployment.sql('messaging', `select message as text from message where message like 'Line %'`);
  expect(stored.map(({ text }) => text).sort()).toEqual(messages.toSorted());
  // One more deposit has paid for the call.
  const paid = `select count(*)::int as count from deposit where status = 'success' and user_id = ${traffic.studentId}`;
  expect(await deployment.sql('wallet', paid)).toEqual([{ count: deposits + 1 }]);
  for (const service of SERVICES) {
    const unsent = 'select from outbox where sent_at is null limit 1';
    const isSent = async () => (await deployment.sql(service, unsent)).length === 0;
    await eventually(`every event of ${service} is sent`, isSent, GIVES_UP_MS);
    expect(await deployment.sql(service, 'select name, error from dead_letter')).toEqual([]);
  }
}
