import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@tutoring/shared/testing/infra';
import type { LiveCall } from './bills.ts';
import { createClient, inParallel, type Client } from './load.ts';

/** Work of one kind: as much as `width` clients can, or `perSecond`. */
interface Order {
  url: string;
  /** The owner's, of calls: the clock moves a step before each round of bills. */
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

/** What was done, and what a busy machine refused. */
const counted = () => {
  const count = { done: 0, refused: 0 };
  const attempt = (request: Promise<unknown>) =>
    request.then(
      () => void (count.done += 1),
      () => void (count.refused += 1),
    );
  return { count, attempt };
};

/** A function that resolves when the next piece of work is due. */
function pace(perSecond: number | undefined) {
  if (perSecond === undefined) return () => Promise.resolve();
  const start = performance.now();
  let given = 0;
  return async () => {
    const wait = start + (given++ * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
  };
}

async function bill(client: Client, { callsUrl, calls, perSecond }: Order, end: number) {
  const due = pace(perSecond?.bills);
  const { count, attempt } = counted();
  while (performance.now() < end) {
    await sql(callsUrl, SHIFT, [STEP_SECONDS]);
    await inParallel(calls, WIDTH, async ({ teacher, identifier }) => {
      await due();
      await attempt(client.post(teacher, '/api/call/bill', { identifier }));
    });
  }
  return count;
}

async function send(client: Client, { rooms, perSecond }: Order, end: number) {
  const due = pace(perSecond?.sends);
  const { count, attempt } = counted();
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

/** A process of its own, so that the process that measures stays idle. */
process.on('message', (order: Order) => {
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
