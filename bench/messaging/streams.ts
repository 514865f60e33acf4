import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guard } from '../../deploy/local/guard.ts';
import { milliseconds, pairOf, percentile, roomOf, seedRooms, tokenOf, type Stand } from './stand.ts';

const STREAMS = 5_000;
const PER_USER = 5;
const EVENTS_PER_SECOND = 100;
const SECONDS = 20;

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

/** Starts a process that opens every stream and reports when each event arrived. */
async function openListeners(url: string) {
  const listeners = fork(join(import.meta.dirname, 'listeners.ts'), {
    stdio: 'inherit',
    serialization: 'advanced',
    detached: true,
  });
  void guard(listeners, 'service');
  const arrivals = new Map<number, number[]>();
  const opened = new Promise<void>((resolve, reject) => {
    listeners.once('error', reject);
    listeners.on('message', (message: { open: true } | { id: number; at: number }[]) => {
      if ('open' in message) resolve();
      else for (const { id, at } of message) arrivals.set(id, [...(arrivals.get(id) ?? []), at]);
    });
  });
  const users = Array.from({ length: STREAMS / PER_USER }, (_none, index) => tokenOf(index + 1));
  listeners.send({ url, users, perUser: PER_USER });
  await opened;
  return { arrivals, close: () => listeners.kill('SIGTERM') };
}

/** 5,000 open streams on a gateway while 100 events per second are published: memory, and p99 from send to arrival. */
export async function benchStreams(stand: Stand): Promise<void> {
  const pairs = STREAMS / PER_USER / 2;
  await seedRooms(stand, pairs);
  const messaging = await stand.start('services/messaging/src/main.ts');
  const gateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: messaging.url });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = await residentMiB(gateway.pid);
  const { arrivals, close } = await openListeners(`${gateway.url}/api/events`);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const open = await residentMiB(gateway.pid);
  const perStream = ((open - idle) * 1_024) / STREAMS;
  console.log(
    `  ${STREAMS} streams: ${open.toFixed(0)} MiB, ${idle.toFixed(0)} without; ${perStream.toFixed(1)} KiB per stream`,
  );

  // Each message is one event for each participant.
  const sends = (EVENTS_PER_SECOND / 2) * SECONDS;
  const sentAt = new Map<number, number>();
  const pending: Promise<void>[] = [];
  for (let index = 0; index < sends; index += 1) {
    const room = (index * 7) % pairs;
    pending.push(
      (async () => {
        const began = Date.now();
        const answer = await fetch(`${gateway.url}/api/rooms/${roomOf(room)}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(pairOf(room).studentId)}` },
          body: JSON.stringify({ message: 'Are you there?' }),
        });
        const { data } = (await answer.json()) as { data: { id: number } };
        sentAt.set(data.id, began);
      })(),
    );
    await new Promise((resolve) => setTimeout(resolve, (SECONDS * 1_000) / sends));
  }
  await Promise.all(pending);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const took = [...sentAt].flatMap(([id, began]) => (arrivals.get(id) ?? []).map((at) => at - began));
  const expected = sends * 2 * PER_USER;
  const busy = await residentMiB(gateway.pid);
  console.log(
    `  ${took.length} of ${expected} arrivals; from send p50 ${milliseconds(percentile(took, 0.5))}, p99 ${milliseconds(percentile(took, 0.99))}`,
  );
  console.log(`  memory under load: ${busy.toFixed(0)} MiB`);
  close();
}
