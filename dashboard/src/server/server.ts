import { createTutoringClient, payload, TutoringError } from '@tutoring/client';

export interface Connection {
  /** The gateway's URL. */
  baseUrl: string;
  token: () => string | undefined;
  /** The value of `Accept-Language`. */
  language: () => string;
}

/** The typed client, which asks for the reader's language. All requests go through it. */
export function createClient({ baseUrl, token, language }: Connection) {
  const client = createTutoringClient({ baseUrl, token });
  client.use({
    onRequest({ request }) {
      request.headers.set('accept-language', language());
      return request;
    },
  });
  return client;
}

export type Client = ReturnType<typeof createClient>;

/** The result of a request of the typed client. */
type Answer<Body> = Parameters<typeof payload<Body>>[0];

/** The first message about each field, in the form of react-admin's form errors. */
const fieldErrors = (errors: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(errors).map(([field, sentences]) => [field, sentences[0] ?? '']));

/** A failed request in the form that react-admin expects: its status (0 without a connection) and field errors. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { errors?: Record<string, string> };
  constructor(message: string, status: number, errors: Record<string, string> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.body = Object.keys(errors).length > 0 ? { errors } : {};
  }
}

export function errorOf(error: unknown, response?: Response): Error {
  if (error instanceof TutoringError) {
    // For an ended session the body of an administrators' path says 403, but the status line says 401.
    return new Refusal(error.message, response?.status ?? error.status, fieldErrors(error.errors));
  }
  // `fetch` rejects with a TypeError when there is no connection.
  const { name } = error as Error;
  return name === 'TypeError' ? new Refusal('states.offline', 0) : (error as Error);
}

export type PayloadOf<Body> = ReturnType<typeof payload<Body>>;

/** Resolves with the payload of a successful request. Throws Refusal. */
export async function unwrap<Body>(request: Promise<Answer<Body>>) {
  let response: Response | undefined;
  try {
    const answer = await request;
    ({ response } = answer);
    return payload(answer);
  } catch (error) {
    throw errorOf(error, response);
  }
}

/** The answer of a request for a file. */
export interface RawAnswer {
  data?: Blob | undefined;
  error?: unknown;
  response: Response;
}

/** Resolves with the bytes of a successful request. Throws Refusal. */
export async function bytesOf(request: Promise<RawAnswer>): Promise<Blob> {
  let response: Response | undefined;
  try {
    const answer = await request;
    ({ response } = answer);
    const { data, error } = answer;
    return response.ok && data ? data : payload<never>({ error, response });
  } catch (error) {
    throw errorOf(error, response);
  }
}
