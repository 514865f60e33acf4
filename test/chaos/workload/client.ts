import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

/** Time-out of a request in an app, which then repeats it. */
const PATIENCE_MS = 12_000;
const BETWEEN_REPEATS_MS = 250;
/** Statuses after which the effect is unknown and an app retries. 408: the body arrived too slowly. */
const TRANSIENT = new Set([408, 502, 503, 504]);
const RUNNING_KEY = /idempotency-key is still/i;

export interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  by?: Pick<Person, 'token'> | undefined;
  body?: unknown;
  /** Sends an Idempotency-Key. */
  keyed?: boolean;
  headers?: Record<string, string>;
  /** Statuses of refusals that the interface allows here. Any other is a violation. */
  refusals?: number[];
  patienceMs?: number;
  /** Time-out of the first attempt, which is then repeated at once, so that both may overlap. */
  firstPatienceMs?: number;
}

export type Answer<T> =
  | { kind: 'done'; data: T }
  | { kind: 'refused'; status: number; message: string }
  /** The request may have taken effect, or may take effect later. */
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

/** Sends requests as apps do. An answer that the interface does not document is a violation. */
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

  /** Repeats a request with the same key until it has a definite answer; `lost` only when the run gives up. */
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
    /** Sends a request once. After a time-out its effect stays unknown. */
    askOnce: <T>(request: Request) => attempt<T>(request, request.keyed ? randomUUID() : undefined),
    /** Sends the same request twice with one key. The answers must be equal, unless the first was refused. */
    askTwice: async <T>(request: Request): Promise<Answer<T>> => {
      const key = randomUUID();
      const askUnderKey = () =>
        ask<T>({ ...request, keyed: false, headers: { ...request.headers, 'idempotency-key': key } });
      const first = await askUnderKey();
      if (first.kind !== 'done') return first;
      const second = await askUnderKey();
      if (second.kind === 'done' && JSON.stringify(first) !== JSON.stringify(second))
        record.violation('a repeat was answered otherwise', { path: request.path, first, second });
      return first;
    },
    /** The data of a request that is expected to succeed. */
    get: async <T>(request: Request): Promise<T | undefined> => {
      const answer = await ask<T>(request);
      return answer.kind === 'done' ? answer.data : undefined;
    },
  };
}

export type Client = ReturnType<typeof createClient>;
