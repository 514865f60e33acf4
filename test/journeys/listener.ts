import { setTimeout as wait } from 'node:timers/promises';

export interface LiveMessage {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export interface Listener {
  /** The received events in order; the list grows. */
  events: LiveMessage[];
  /** How often the stream was opened. */
  opened(): number;
  close(): void;
}

const RETRY_MS = 100;

/** Opens `GET api/events` like an app: reads it, and resumes it whenever it ends. */
export async function listen(base: string, token: string): Promise<Listener> {
  const events: LiveMessage[] = [];
  const abort = new AbortController();
  let lastId = '';
  let opened = 0;

  function take(block: string): void {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const { id, event, data = '{}' } = fields;
    if (id) lastId = id;
    if (event) events.push({ id: lastId, event, data: JSON.parse(data) as LiveMessage['data'] });
  }

  async function open() {
    const response = await fetch(`${base}/api/events`, {
      headers: { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) },
      signal: abort.signal,
    });
    if (!response.ok || !response.body) throw new Error(`no event stream: ${response.status}`);
    opened += 1;
    return response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  async function read(reader: Awaited<ReturnType<typeof open>>): Promise<void> {
    let buffer = '';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const blocks = `${buffer}${chunk.value}`.split('\n\n');
      buffer = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  }

  async function keepReading(first: Awaited<ReturnType<typeof open>>): Promise<void> {
    await read(first).catch(() => undefined);
    while (!abort.signal.aborted) {
      await open()
        .then(read)
        .catch(() => wait(RETRY_MS));
    }
  }

  void keepReading(await open());
  return { events, opened: () => opened, close: () => abort.abort() };
}
