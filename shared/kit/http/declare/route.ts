import type { z } from 'zod';
import type { AdminCaller, Caller, ServiceCaller, UserCaller } from '../../identity/auth.ts';
import type { ReadOnly } from '../../database/open.ts';
import type { Tx } from '../../database/sql.ts';
import type { AppError, ErrorCode } from '../../errors.ts';
import type { Upload } from '../read/upload.ts';
import type { RuleViolation, ValidFields } from '../read/validation.ts';

/**
 * By the `auth` of a route: the callers who are allowed, as the type that the handler gets. `member`: a student,
 * teacher or administrator; `service`: another process of this system.
 */
export interface CallerOf {
  public: Caller;
  user: UserCaller;
  student: UserCaller;
  teacher: UserCaller;
  member: UserCaller | AdminCaller;
  admin: AdminCaller;
  su: AdminCaller;
  service: ServiceCaller;
}
export type Auth = keyof CallerOf;

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Parts of the HTTP request that a handler may need. */
export interface RequestInfo {
  /** The client's address, as reported by the gateway. */
  clientAddress: string;
  userAgent: string;
  /** Any header; the name is in lower case. */
  header(name: string): string | undefined;
  /** The body's bytes; only for routes with `raw`. */
  rawBody: Buffer;
  /** Reads the file in the body; only for routes with `upload`. */
  upload: Upload;
}

/**
 * An answer with headers, another status or another content type. A `Readable` body is streamed at the pace of the
 * client; if it fails after its first chunk, the connection is closed.
 */
export class Reply {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly status: number | undefined;
  constructor(body: unknown, options: { headers?: Record<string, string>; status?: number } = {}) {
    this.body = body;
    this.headers = options.headers ?? {};
    this.status = options.status;
  }
}

/** A JSON payload that is serialized already, such as a large cached answer. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A database in which `once` runs transactions. */
export type Transacting = Pick<ReadOnly, 'transact'>;

/**
 * Runs the effect of a request to an idempotent route once per caller, method, path and Idempotency-Key. A repeat gets
 * the first answer, with the header `Idempotent-Replayed`. Throws invalid when the key was used with another body, and
 * conflict while the first request still runs. A refusal is not stored. If the answer to COMMIT is lost, the database
 * is asked whether the transaction was committed, so that a committed effect is answered as such, with or without a
 * key; otherwise the error of the lost connection is thrown.
 */
export interface Once {
  /** For an effect in one transaction, which `once` begins and commits. */
  <T>(database: Transacting, effect: (tx: Tx) => Promise<T>): Promise<T | Reply>;
  /** Whether the client sent a key. */
  readonly isKeyed: boolean;
  /**
   * For an effect with a call to another system between two transactions; this is the first. `create` gets the id of
   * the record that an earlier request with this key has created and not completed.
   */
  begin<Row extends { id: number }>(
    database: Transacting,
    create: (tx: Tx, earlier: number | undefined) => Promise<Row>,
  ): Promise<BegunOnce<Row> | Reply>;
}

/** After the first transaction. If the process dies now, a repeat can continue after CLAIM_SECONDS. */
export interface BegunOnce<Row> {
  record: Row;
  /** The last transaction of a successful request: stores the answer. */
  complete<T>(effect: (tx: Tx) => Promise<T>): Promise<T | Reply>;
  /** The last transaction of a refused request: a repeat begins anew. */
  release(effect: (tx: Tx) => Promise<void>): Promise<void>;
}

export type Parsed<Schema> = Schema extends z.ZodObject ? z.output<Schema> : Record<never, never>;

export interface RouteSpec<A extends Auth, P, Q, B, R extends z.ZodType, I extends true | undefined> {
  summary: string;
  /** Markdown for the API reference: callers, effect, refusals and limits. Required for public routes. */
  description?: string;
  auth: A;
  /** The right that administrators need. Required with `auth` `admin` and `member`, not allowed with any other. */
  right?: string;
  /** A right that also opens the route, for a part of what it does: the handler checks which part. */
  orRight?: string;
  /** Invalid path parameters stand for an unknown record: `notFound`, not a 422. */
  params?: P;
  query?: Q;
  body?: B;
  /**
   * Validation of body and query that needs the database. `params` is undefined when the path parameters are invalid.
   * Returns violations, which are reported together with those of the schema.
   */
  rules?: (input: {
    fields: ValidFields<Parsed<Q> & Parsed<B>>;
    params: Parsed<P> | undefined;
    caller: CallerOf[A];
  }) => Promise<RuleViolation[]>;
  response: R;
  /** Status of success; 200 by default. */
  status?: 200 | 201;
  /** Refusals in addition to those that `refusalsOf` derives and those that every route shares. */
  errors?: ErrorCode[];
  notFound?: () => AppError;
  /** Accepts the header `Idempotency-Key`; the handler gets `once`. */
  idempotent?: I;
  /** The handler gets the body's bytes instead of parsed input (webhooks). */
  raw?: true;
  /** The body is a form with a file; the handler reads it with `request.upload`. */
  upload?: true;
  /** Further fields of that form, for the API reference; the handler reads them with `formOf`. */
  form?: z.ZodObject;
  /** The handler returns a `Download`: a file, of which clients may request ranges. */
  download?: true;
  /** Content type of an answer that is not JSON (text, bytes or a `Readable`). The gateway adds no envelope to it. */
  produces?: string;
  /** Returns undefined for an unknown record. */
  handle(
    input: {
      params: Parsed<P>;
      query: Parsed<Q>;
      body: Parsed<B>;
      caller: CallerOf[A];
      request: RequestInfo;
    } & (I extends true ? { once: Once } : unknown),
  ): Promise<z.input<R> | Reply | undefined> | z.input<R> | Reply | undefined;
}

/** A declared endpoint without its generic types, for `mount` and the API reference. */
export interface Route extends Omit<
  RouteSpec<Auth, z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType, true | undefined>,
  'handle' | 'rules'
> {
  method: Method;
  /** The full public path, with parameters in braces: `/api/rooms/{uuid}`. */
  path: string;
  /** Only for `service` routes, which `command()` of internal/command.ts declares. */
  command?: { owner: string; callers: readonly string[] };
  rules?(input: { fields: object; params: unknown; caller: Caller }): Promise<RuleViolation[]>;
  handle(input: {
    params: unknown;
    query: unknown;
    body: unknown;
    caller: Caller;
    request: RequestInfo;
    /** Undefined for a route that is not idempotent. */
    once: Once | undefined;
  }): unknown;
}

/** Method and full path: `get /api/rooms/{uuid}`. */
export type Endpoint = `${Method} ${string}`;

export const endpoint = (text: Endpoint): { method: Method; path: string } => {
  const [method, path] = text.split(' ') as [Method, string];
  return { method, path };
};

/**
 * Declares an endpoint; mounting, validation, types and the API reference use the declaration. A handler gets parsed
 * input and the caller, returns the payload, and throws AppError to refuse.
 */
export function route<
  A extends Auth,
  R extends z.ZodType,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodObject | undefined = undefined,
  I extends true | undefined = undefined,
>(at: Endpoint, spec: RouteSpec<A, P, Q, B, R, I>): Route {
  return { ...(spec as unknown as Route), ...endpoint(at) };
}

/** Whether the gateway forwards requests to the route, so that it is in the API reference. */
export const isPublic = (spec: Route) => spec.path.startsWith('/api/');

/** Refusals of every route. */
const SHARED_REFUSALS: ErrorCode[] = ['malformed', 'too_large', 'unsupported_media_type', 'unavailable', 'internal'];

/** The refusals of a route: the declared ones, and those that follow from the rest of its declaration. */
export function refusalsOf(spec: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(spec.errors);
  if (spec.auth !== 'public') codes.add('unauthenticated');
  if (spec.auth !== 'public' && spec.auth !== 'member') codes.add('forbidden');
  if (spec.params) codes.add('not_found');
  if (spec.body || spec.query) codes.add('invalid');
  if (spec.upload) codes.add('invalid').add('rate_limited');
  if (spec.download) codes.add('not_found').add('range_not_satisfiable');
  if (spec.idempotent) codes.add('invalid').add('conflict');
  return [...codes];
}

/** Whether the API reference lists this refusal for the route. */
export const isDocumented = (spec: Route, code: ErrorCode) =>
  !isPublic(spec) || SHARED_REFUSALS.includes(code) || refusalsOf(spec).includes(code);
