import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/process/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { payDeposit } from '../journeys/people.ts';
import { startLesson, systemOf } from './lesson.ts';
import type { Deployment } from './replicas.ts';

/** A client gives up a request that is not answered by then, and repeats it. */
const PATIENCE_MS = 15_000;
/** A request that is still not confirmed by then fails the test. */
const GIVES_UP_MS = 180_000;
/** More than every writer has on its way. */
const SOME = 12;
/** Between two deposits of a writer: one address may send 600 webhooks a minute. */
const BETWEEN_DEPOSITS_MS = 250;
/** Between two other deeds: some hundred requests a second leave the machine to what is tested. */
const BETWEEN_DEEDS_MS = 50;

/** What everybody looks at in between. */
const LOOKS = ['api/me', 'api/teachers', 'api/wallet', 'api/rooms', 'api/services', 'api/calls'];

export interface Traffic {
  /** Who pays the deposits. */
  studentId: number;
  /** Confirmed writes so far. */
  confirmed(): number;
  /** Requests so far. */
  sent(): number;
  /** How often a request had to be sent again so far. */
  repeats(): number;
  /** Why, with how often. */
  failures(): Record<string, number>;
  /** Sends one request that nobody has sent before. Throws when it is not confirmed. */
  writeAnew(): Promise<unknown>;
  /** Lets every writer finish its request. Returns what was confirmed. */
  stop(): Promise<{ messages: string[]; deposits: number; longestMs: number }>;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause && reasonOf(error.cause)].filter(Boolean).join(': ')
    : String(error);

/**
 * Clients as apps are: each repeats its request, under the same Idempotency-Key, until it succeeds. During a call that a
 * teacher bills, a student looks around, writes messages and pays deposits.
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
      try {
        const done = await tries();
        longestMs = Math.max(longestMs, performance.now() - since);
        return done;
      } catch (error) {
        repeats += 1;
        const reason = `${what}: ${reasonOf(error)}`;
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
        if (performance.now() - since > GIVES_UP_MS) throw new Error(`${what} never succeeds`, { cause: error });
        await pause(100);
      }
    }
  }

  /** A request under a key of its own. */
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

  async function look(): Promise<void> {
    for (const path of LOOKS) await confirmed(path, () => attempt(path, {}));
    await confirmed('the bill', () => attempt('api/call/bill', posting({ identifier: call }), teacher));
  }

  async function goOn(deed: () => Promise<void>, betweenMs: number): Promise<void> {
    while (!isOver) {
      await deed();
      await pause(betweenMs);
    }
  }

  const writers = [
    ...[deposit, deposit].map((deed) => goOn(deed, BETWEEN_DEPOSITS_MS)),
    ...[write, write, write, write, look].map((deed) => goOn(deed, BETWEEN_DEEDS_MS)),
  ];
  // Whoever stops the traffic gets the error.
  for (const writer of writers) writer.catch(() => undefined);
  return {
    studentId: student.id,
    confirmed: () => messages.length + deposits,
    sent: () => sent,
    repeats: () => repeats,
    failures: () => Object.fromEntries(failures),
    writeAnew: () => attempt(`api/rooms/${room}/messages`, posting({ message: 'Anew', type: 'message' })),
    stop: async () => {
      isOver = true;
      await Promise.all(writers);
      return { messages, deposits, longestMs: Math.round(longestMs) };
    },
  };
}

/** Waits until every writer's requests are confirmed again. */
export function goesOn(traffic: Traffic): Promise<unknown> {
  const before = traffic.confirmed();
  return eventually('requests succeed again', () => traffic.confirmed() > before + SOME, GIVES_UP_MS);
}

/** New requests are confirmed, and their events sent; then the interrupted ones, too. */
export async function resumes(deployment: Pick<Deployment, 'sql'>, traffic: Traffic): Promise<void> {
  await eventually(
    'a new request succeeds',
    () =>
      traffic.writeAnew().then(
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
  // Also those whose request was lost with the primary: their keys are taken over after half a minute.
  await goesOn(traffic);
}

/** Nothing that was confirmed is lost or doubled, every event is out and handled, and the ledger adds up. */
export async function everythingIsThere(deployment: Pick<Deployment, 'sql'>, traffic: Traffic): Promise<void> {
  const { messages, deposits, longestMs } = await traffic.stop();
  process.stdout.write(
    `${messages.length + deposits} writes confirmed, ${traffic.repeats()} repeats, longest ${(longestMs / 1000).toFixed(1)} s\n`,
  );
  const stored = await deployment.sql('messaging', `select message as text from message where message like 'Line %'`);
  expect(stored.map(({ text }) => text).sort()).toEqual(messages.toSorted());
  // The student has paid one more to have money for the call.
  const paid = `select count(*)::int as count from deposit where status = 'success' and user_id = ${traffic.studentId}`;
  expect(await deployment.sql('wallet', paid)).toEqual([{ count: deposits + 1 }]);
  for (const service of SERVICES) {
    const unsent = 'select from outbox where sent_at is null limit 1';
    const isSent = async () => (await deployment.sql(service, unsent)).length === 0;
    await eventually(`every event of ${service} is sent`, isSent, GIVES_UP_MS);
    expect(await deployment.sql(service, 'select name, error from dead_letter')).toEqual([]);
  }
}
