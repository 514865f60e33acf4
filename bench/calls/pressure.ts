import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@tutoring/shared/testing/infra';
import type { LiveCall } from './bills.ts';
import { createClient, forEachConcurrently, type Client } from './load.ts';

/** Load to generate: at the rates `perSecond`, or without them as fast as possible. */
interface LoadOrder {
  url: string;
  /** The database of calls, as its owner: the clock moves one step before each round of bills. */
  callsUrl: string;
  calls: LiveCall[];
  rooms: { uuid: string; student: number }[];
  seconds: number;
  perSecond?: { bills: number; sends: number } | undefined;
}

const WIDTH = 16;
const STEP_SECONDS = 60;
const SHIFT = `
  insert into app_clock (shift) values (make_interval(secs => $1))
  on conflict (only_row) do update set shift = app_clock.shift + excluded.shift`;

/** Counts successful requests, and requests refused because the system was busy. */
const createCounter = () => {
  const count = { done: 0, refused: 0 };
  const attempt = (request: Promise<unknown>) =>
    request.then(
      () => void (count.done += 1),
      () => void (count.refused += 1),
    );
  return { count, attempt };
};

/** Returns a function that resolves when the next request is due. */
function pace(perSecond: number | undefined) {
  if (perSecond === undefined) return () => Promise.resolve();
  const start = performance.now();
  let issued = 0;
  return async () => {
    const wait = start + (issued++ * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
  };
}

async function bill(client: Client, { callsUrl, calls, perSecond }: LoadOrder, end: number) {
  const due = pace(perSecond?.bills);
  const { count, attempt } = createCounter();
  while (performance.now() < end) {
    await sql(callsUrl, SHIFT, [STEP_SECONDS]);
    await forEachConcurrently(calls, WIDTH, async ({ teacher, identifier }) => {
      await due();
      await attempt(client.post(teacher, '/api/call/bill', { identifier }));
    });
  }
  return count;
}

async function send(client: Client, { rooms, perSecond }: LoadOrder, end: number) {
  const due = pace(perSecond?.sends);
  const { count, attempt } = createCounter();
  let next = 0;
  const sending = async () => {
    while (performance.now() < end) {
      await due();
      const { uuid, student } = rooms[next++ % rooms.length]!;
      const message = 'Shall we start with chapter three?';
      await attempt(client.post(student, `/api/rooms/${uuid}/messages`, { message }));
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, sending));
  return count;
}

/** The load runs in a separate process, so that the measuring process stays idle. */
process.on('message', (order: LoadOrder) => {
  void (async () => {
    const client = createClient(order.url, 2 * WIDTH);
    const start = performance.now();
    const end = start + order.seconds * 1_000;
    const [bills, sends] = await Promise.all([bill(client, order, end), send(client, order, end)]);
    const seconds = (performance.now() - start) / 1_000;
    client.close();
    const refused = bills.refused + sends.refused;
    process.send?.({ bills: bills.done / seconds, sends: sends.done / seconds, refused });
  })();
});
