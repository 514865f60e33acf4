import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../seed.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

/** Mean time until a broken stream is reopened. */
const RETRY_MS = 400;
/** A stream without any bytes, heartbeats included, for this long is dead. */
const SILENT_MS = 40_000;

export interface ReceivedEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export interface Listener {
  person: Person;
  received: ReceivedEvent[];
  /** Number of events received before the last `resync` event, after which some may be missing. */
  resyncedAt: number;
  /** Time of the last `resync`, or of the first opening, by the harness's clock, in Unix milliseconds. */
  completeSince: number;
  close(): void;
}

/** A person's app: it reads and resumes the event stream, and its connection sometimes breaks at a random byte. */
export async function startListener(world: World, person: Person, random: Random): Promise<Listener> {
  const closing = new AbortController();
  const listener: Listener = {
    person,
    received: [],
    resyncedAt: 0,
    completeSince: Infinity,
    close: () => closing.abort(),
  };
  let lastId = '';
  let opened = 0;

  function take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const event = fields.get('event');
    lastId = fields.get('id') ?? lastId;
    if (event === 'resync') {
      world.record.seen('an event stream was told to fetch again');
      listener.resyncedAt = listener.received.length;
      listener.completeSince = Date.now();
    } else if (event !== undefined)
      listener.received.push({
        id: lastId,
        event,
        data: JSON.parse(fields.get('data') ?? '{}') as ReceivedEvent['data'],
      });
  }

  async function read(): Promise<void> {
    const breaking = new AbortController();
    let dead = setTimeout(() => breaking.abort(), SILENT_MS);
    try {
      const response = await fetch(`${world.stack.url}/api/events`, {
        headers: { authorization: `Bearer ${person.token}`, ...(lastId && { 'last-event-id': lastId }) },
        signal: AbortSignal.any([closing.signal, breaking.signal]),
      });
      if (!response.ok || !response.body) {
        if (response.status === 401) world.record.violation('a stream was refused for a valid token', person.email);
        return;
      }
      if ((opened += 1) > 1) world.record.seen('an event stream was resumed');
      if (listener.completeSince === Infinity) listener.completeSince = Date.now();
      let left = random.chance(0.8) ? random.between(100, 10_000) : Infinity;
      let buffer = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body) {
        clearTimeout(dead);
        dead = setTimeout(() => breaking.abort(), SILENT_MS);
        const bytes = (chunk as Uint8Array).subarray(0, Math.min(left, chunk.length));
        buffer += decoder.decode(bytes, { stream: true });
        const blocks = buffer.split('\n\n');
        buffer = blocks.pop() ?? '';
        blocks.forEach(take);
        left -= bytes.length;
        if (left <= 0) breaking.abort();
      }
    } finally {
      clearTimeout(dead);
    }
  }

  void (async () => {
    while (!closing.signal.aborted) {
      await read().catch(() => undefined);
      await pause(random.pauseMs(RETRY_MS));
    }
  })();
  while (listener.completeSince === Infinity) await pause(20);
  return listener;
}
