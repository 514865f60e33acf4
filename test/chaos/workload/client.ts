import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

/** An app gives up an answer after this, and repeats the request. */
const PATIENCE_MS = 12_000;
const BETWEEN_REPEATS_MS = 250;
/** What the interface documents as passing: nothing is known about the effect. 408: its bytes came too slowly. */
const TRANSIENT = new Set([408, 502, 503, 504]);
const RUNNING_KEY = /idempotency-key is still/i;

export interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  by?: Pick<Person, 'token'> | undefined;
  body?: unknown;
  /** A key of its own for a request that must not take effect twice. */
  keyed?: boolean;
  headers?: Record<string, string>;
  /** The refusals that the interface allows here. Any other is a violation. */
  refusals?: number[];
  patienceMs?: number;
  /** The first attempt is given up after this, and repeated at once: the repeat may meet it. */
  firstPatienceMs?: number;
}

export type Answer<T> =
  | { kind: 'done'; data: T }
  | { kind: 'refused'; status: number; message: string }
  /** It may have taken effect, or may yet. */
  | { kind: 'lost' };

interface Envelope {
  success?: boolean;
  statusCode?: number;
  message?: unknown;
  data?: unknown;
}

function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}

/** Sends requests as apps do, and judges every answer: what the interface does not promise is a violation. */
export function createClient(world: World) {
  const { record, stack } = world;

  function judge<T>(request: Request, response: Response, text: string): Answer<T> | 'transient' {
    const { path, refusals = [] } = request;
    const body = parsed(text);
    const status = response.status === 200 ? (body?.statusCode ?? 200) : response.status;
    if (response.status === 200 && body && (body.success === true || body.success === undefined))
      return { kind: 'done', data: (body.success === undefined ? body : body.data) as T };
    if (TRANSIENT.has(status)) return 'transient';
    const message = typeof body?.message === 'string' ? body.message : text.slice(0, 300);
    if (status === 409 && RUNNING_KEY.test(message)) {
      record.seen('a repeat met its first request still running');
      return 'transient';
    }
    if (!body || !refusals.includes(status))
      record.violation(`unexplained ${status}`, `${request.method ?? 'GET'} ${path}: ${text.slice(0, 500)}`);
    return { kind: 'refused', status, message };
  }

  async function attempt<T>(request: Request, key?: string): Promise<Answer<T>> {
    const { method = 'GET', path, by, body, headers = {}, patienceMs = PATIENCE_MS } = request;
    const since = record.now();
    const raw = typeof body === 'string';
    const answered = (outcome: string) => record.answered({ since, outcome });
    try {
      const response = await fetch(`${stack.url}/${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(by && { authorization: `Bearer ${by.token}` }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...headers,
        },
        ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await response.text();
      if (response.headers.get('idempotent-replayed')) record.seen('a repeat got the first answer');
      const judged = judge<T>(request, response, text);
      if (judged === 'transient') {
        answered(`transient ${response.status}`);
        return { kind: 'lost' };
      }
      answered(judged.kind === 'done' ? 'done' : `refused ${judged.kind === 'refused' ? judged.status : ''}`);
      return judged;
    } catch {
      answered('lost');
      return { kind: 'lost' };
    }
  }

  /** Repeats a request, under its key, until the answer is known; 'lost' only when the run gives up. */
  async function ask<T>(request: Request): Promise<Answer<T>> {
    const key = request.keyed ? randomUUID() : undefined;
    for (let first = true; ; first = false) {
      const patienceMs = first ? request.firstPatienceMs : undefined;
      const answer = await attempt<T>({ ...request, ...(patienceMs && { patienceMs }) }, key);
      if (answer.kind !== 'lost') return answer;
      if (world.giveUp.aborted) {
        record.violation('a request never gets an answer', `${request.method ?? 'GET'} ${request.path}`);
        return answer;
      }
      if (patienceMs === undefined) await pause(BETWEEN_REPEATS_MS);
    }
  }

  return {
    attempt,
    ask,
    /** Sends it once: who loses patience never learns what became of it. */
    askOnce: <T>(request: Request) => attempt<T>(request, request.keyed ? randomUUID() : undefined),
    /** Sends the same twice under one key. The answers must be the same; what was refused may be tried anew. */
    askTwice: async <T>(request: Request): Promise<Answer<T>> => {
      const key = randomUUID();
      const under = () => ask<T>({ ...request, keyed: false, headers: { ...request.headers, 'idempotency-key': key } });
      const first = await under();
      if (first.kind !== 'done') return first;
      const second = await under();
      if (second.kind === 'done' && JSON.stringify(first) !== JSON.stringify(second))
        record.violation('a repeat was answered otherwise', { path: request.path, first, second });
      return first;
    },
    /** The data of what must succeed. */
    get: async <T>(request: Request): Promise<T | undefined> => {
      const answer = await ask<T>(request);
      return answer.kind === 'done' ? answer.data : undefined;
    },
  };
}

export type Client = ReturnType<typeof createClient>;
