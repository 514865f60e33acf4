import { refusalOf, TutoringError } from './error.ts';
import type { webhooks } from './generated/schema.ts';
import { backOffMs, isTemporary, pause, retryAfterMs } from './patience.ts';

type EventName = keyof webhooks;
type DataOf<Name extends EventName> = NonNullable<webhooks[Name]['post']['requestBody']>['content']['application/json'];

/** A live event with its payload. `resync`: too many events were missed; the app must fetch again what it shows. */
export type LiveEvent = { [Name in EventName]: { event: Name; id: string; data: DataOf<Name> } }[EventName];

export interface EventsOptions {
  /** Ends the stream. */
  signal?: AbortSignal;
  /** The `Last-Event-ID` of an earlier stream. */
  lastEventId?: string;
  /** Called when a connection is open: from now on events are received. */
  onOpen?: () => void;
  /** Called when a connection has broken or could not be opened: until `onOpen` nothing is received. */
  onBreak?: () => void;
}

/** The server sends something every 20 seconds: after this long a silence the connection is closed. */
const SILENCE_MS = 60_000;

/** Resolves like `work`. Aborts the connection when `work` takes longer than `SILENCE_MS`. */
function soon<T>(work: Promise<T>, connection: AbortController): Promise<T> {
  const watchdog = setTimeout(() => connection.abort(), SILENCE_MS);
  return work.finally(() => clearTimeout(watchdog));
}

/** The blocks of the stream: lines up to an empty line. Throws after a long silence. */
async function* blocksOf(answer: Response, connection: AbortController): AsyncGenerator<string> {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await soon(reader.read(), connection);
      if (done) return;
      const blocks = `${pending}${value}`.split('\n\n');
      pending = blocks.pop() ?? '';
      yield* blocks;
    }
  } finally {
    connection.abort();
  }
}

/** The fields of a block, one per line; a comment has none. */
const fieldsOf = (block: string) =>
  new Map(
    block.split('\n').map((line): [string, string] => {
      const [name = '', ...rest] = line.split(':');
      return [name, rest.join(':').trimStart()];
    }),
  );

type Open = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * Live events without end: a broken connection is opened again where it broke, with growing delays while that fails.
 * Throws TutoringError when the stream is refused for good (401: the token is over), and what the callbacks throw; ends
 * when the signal is aborted.
 */
export async function* readEvents(open: Open, options: EventsOptions): AsyncGenerator<LiveEvent> {
  for await (const event of readConnections(open, options))
    if (event === 'open') options.onOpen?.();
    else if (event === 'broken') options.onBreak?.();
    else yield event;
}

/** The events of one connection after the other, each connection after an 'open' and before a 'broken'. */
async function* readConnections(
  open: Open,
  { signal, lastEventId }: EventsOptions,
): AsyncGenerator<LiveEvent | 'open' | 'broken'> {
  let retryMs = 2_000;
  for (let failures = 0; !signal?.aborted; failures += 1) {
    const connection = new AbortController();
    const end = () => connection.abort();
    signal?.addEventListener('abort', end);
    let asked = 0;
    try {
      const answer = await soon(open(lastEventId, connection.signal), connection);
      asked = retryAfterMs(answer);
      if (!answer.ok && !isTemporary(answer)) throw refusalOf(answer, await answer.json().catch(() => ({})));
      let isOpen = false;
      for await (const block of answer.ok ? blocksOf(answer, connection) : []) {
        if (!isOpen) yield 'open';
        isOpen = true;
        failures = 0;
        const fields = fieldsOf(block);
        retryMs = Number(fields.get('retry') ?? retryMs);
        const [event, data] = [fields.get('event'), fields.get('data')];
        const parsed: unknown = data === undefined ? undefined : JSON.parse(data);
        // Only now: an event that arrived damaged is asked for again.
        lastEventId = fields.get('id') ?? lastEventId;
        if (event !== undefined && data !== undefined)
          yield { event, id: lastEventId ?? '', data: parsed } as LiveEvent;
      }
    } catch (error) {
      if (error instanceof TutoringError) throw error;
    } finally {
      connection.abort();
      signal?.removeEventListener('abort', end);
    }
    if (!signal?.aborted) yield 'broken';
    await pause(Math.max(asked, backOffMs(failures, retryMs)), signal);
  }
}
