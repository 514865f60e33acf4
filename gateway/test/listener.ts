import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { eventually } from '@tutoring/shared/testing/wait';

export interface ServerEvent {
  id: string;
  event: string;
  data: unknown;
}

/** Opens `GET api/events` like an app, and parses the stream as browsers do. */
export async function listen(
  url: string,
  token: string | undefined,
  options: { lastEventId?: string; query?: string } = {},
) {
  const { hostname, port } = new URL(url);
  const events: ServerEvent[] = [];
  let comments = 0;
  let lastEventId = options.lastEventId;
  let pending = '';
  let isClosed = false;
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }),
  };

  function read(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments += 1;
      else fields.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart());
    }
    lastEventId = fields.get('id') ?? lastEventId;
    const data = fields.get('data');
    if (data === undefined) return;
    events.push({ id: lastEventId ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) });
  }

  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent: ClientRequest = httpRequest(
    { hostname, port, path: `/api/events${options.query ?? ''}`, headers, agent: false },
    resolve,
  );
  sent.on('error', (error) => {
    isClosed = true;
    reject(error);
  });
  sent.end();
  const answer = await promise;
  answer.on('data', (piece: Buffer) => {
    pending += piece.toString();
    const blocks = pending.split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) read(block);
  });
  answer.on('error', () => undefined);
  answer.on('close', () => (isClosed = true));

  return {
    status: answer.statusCode,
    headers: answer.headers,
    events,
    get comments() {
      return comments;
    },
    get lastEventId() {
      return lastEventId;
    },
    get isClosed() {
      return isClosed;
    },
    /** Text that has not been parsed yet: the whole body when the answer is not a stream. */
    get text() {
      return pending;
    },
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    hangUp: () => void sent.destroy(),
    until: (count: number) => eventually(`${count} events`, () => events.length >= count),
  };
}

export type Listening = Awaited<ReturnType<typeof listen>>;
