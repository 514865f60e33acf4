import createClient from 'openapi-fetch';
import type { paths } from './generated/schema.ts';

export type { paths };

export interface ClientOptions {
  /** Where the gateway is: `https://api.example.com`. */
  baseUrl: string;
  /** The bearer to send, asked for at every request; undefined sends none. */
  token?: () => string | undefined;
}

/**
 * A client whose paths, inputs and answers are typed by the reference:
 * `payload(await client.POST('/api/call/bill', { body: { identifier } }))`.
 */
export function createTutoringClient(options: ClientOptions) {
  const client = createClient<paths>({ baseUrl: options.baseUrl });
  client.use({
    onRequest({ request }) {
      const token = options.token?.();
      if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
      request.headers.set('x-envelope', 'strict');
      return request;
    },
  });
  return client;
}

/** A refusal: the status that the body tells, its sentence, and the fields of a 422. */
export class TutoringError extends Error {
  readonly status: number;
  readonly errors: Record<string, string[]>;
  constructor(status: number, message: string, errors: Record<string, string[]>) {
    super(message);
    this.name = 'TutoringError';
    this.status = status;
    this.errors = errors;
  }
}

interface Refusal {
  statusCode?: number;
  message?: string | { message: string };
  errors?: Record<string, string[]>;
}

type PayloadOf<Body> = Body extends { success: true; data: infer Data } ? Data : never;

/** The payload of a success. Throws TutoringError for a refusal. */
export function payload<Body>(answer: { data?: Body; error?: unknown; response: Response }): PayloadOf<Body> {
  const body = (answer.data ?? answer.error ?? {}) as Refusal & { success?: boolean; data?: PayloadOf<Body> };
  if (answer.response.ok && body.success === true) return body.data as PayloadOf<Body>;
  const message = typeof body.message === 'object' ? body.message.message : body.message;
  throw new TutoringError(
    body.statusCode ?? answer.response.status,
    message ?? answer.response.statusText,
    body.errors ?? {},
  );
}
