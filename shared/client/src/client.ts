import createClient from 'openapi-fetch';
// Its types for CommonJS cannot be read.
import type { Client } from 'openapi-fetch' with { 'resolution-mode': 'import' };
import { refusalOf, TutoringError } from './error.ts';
import { readEvents, type EventsOptions, type LiveEvent } from './events.ts';
import { idempotentPaths, type paths } from './generated/schema.ts';
import { fetchWithRetries } from './retries.ts';

export { TutoringError };
export type { LiveEvent, paths };

export interface ClientOptions {
  /** The gateway's URL, like `https://api.example.com`. */
  baseUrl: string;
  /** Returns the bearer for each request; undefined sends none. */
  token?: () => string | undefined;
}

export interface TutoringClient extends Client<paths> {
  /** `await client.upload('/api/me/photo', blob, { name: 'me.jpg' })`: sent once. Throws TutoringError for a refusal. */
  upload<Path extends UploadPath>(path: Path, file: Blob, given: Named<Path>): Promise<Uploaded<Path>>;
  /** `for await (const { event, data } of client.events())`: see `readEvents`. */
  events(given?: EventsOptions): AsyncGenerator<LiveEvent>;
}

const takesKey: ReadonlySet<string> = new Set(idempotentPaths);

/**
 * A client whose paths, inputs and answers are typed by the reference: `payload(await client.POST('/api/call/bill', {
 * body: { identifier } }))`. Reads, and POSTs to paths that take an `Idempotency-Key`, are repeated when the answer gets
 * lost; the client makes the key unless it is given one.
 */
export function createTutoringClient(options: ClientOptions): TutoringClient {
  const bearer = (): Record<string, string> => {
    const token = options.token?.();
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  /** Requests that have the same effect when sent twice. The path decides: other paths ignore a key. */
  const repeatable = new WeakSet<Request>();
  const client = createClient<paths>({
    baseUrl: options.baseUrl,
    fetch: (request) => (repeatable.has(request) ? fetchWithRetries(request) : fetch(request)),
  });
  client.use({
    onRequest({ request, schemaPath }) {
      for (const [name, value] of Object.entries(bearer())) request.headers.set(name, value);
      request.headers.set('x-envelope', 'strict');
      const isKeyed = request.method === 'POST' && takesKey.has(schemaPath);
      if (isKeyed && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      if (isKeyed || request.method === 'GET') repeatable.add(request);
      return request;
    },
  });
  const open = (lastEventId: string | undefined, signal: AbortSignal) =>
    fetch(`${options.baseUrl}/api/events`, {
      headers: { ...bearer(), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal,
    });
  async function upload<Path extends UploadPath>(path: Path, file: Blob, given: Named<Path>): Promise<Uploaded<Path>> {
    const { name: fileName, ...rest } = given;
    const fields = new Map(Object.entries(rest));
    const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = String(fields.get(name));
      fields.delete(name);
      return encodeURIComponent(value);
    });
    const form = new FormData();
    for (const [name, value] of fields) form.set(name, String(value));
    form.set('file', file, fileName);
    const headers = { ...bearer(), 'x-envelope': 'strict' };
    const response = await fetch(`${options.baseUrl}${target}`, { method: 'POST', headers, body: form });
    const body: Promise<unknown> = response.json();
    return payload({ data: (await (response.ok ? body : body.catch(() => ({})))) as never, response });
  }
  return Object.assign(client, {
    upload,
    events: (given: EventsOptions = {}) => readEvents(open, given),
  });
}

type PostOf<Path extends keyof paths> = paths[Path] extends { post: infer Post } ? Post : never;

/** The paths that take files. */
type UploadPath = {
  [Path in keyof paths]: PostOf<Path> extends { requestBody: { content: { 'multipart/form-data': unknown } } }
    ? Path
    : never;
}[keyof paths];

/** The fields of a form beside its file. */
type FormOf<Path extends UploadPath> =
  PostOf<Path> extends { requestBody: { content: { 'multipart/form-data': infer Form } } }
    ? Omit<Form, 'file'>
    : object;

/** The file's name, the path's parameters, and the other fields of the form. */
type Named<Path extends UploadPath> = { name: string } & FormOf<Path> &
  (PostOf<Path> extends { parameters: { path: infer Names } } ? Names : object);

type Uploaded<Path extends UploadPath> =
  PostOf<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? PayloadOf<Body>
    : never;

type PayloadOf<Body> = Body extends { success: true; data: infer Data } ? Data : never;

/** The payload of a success. Throws TutoringError for a refusal. */
export function payload<Body>(answer: { data?: Body; error?: unknown; response: Response }): PayloadOf<Body> {
  const body = (answer.data ?? answer.error ?? {}) as { success?: boolean; data?: PayloadOf<Body> };
  if (answer.response.ok && body.success === true) return body.data as PayloadOf<Body>;
  throw refusalOf(answer.response, body);
}
