import type { z } from 'zod';
import type { AdminCaller, Caller, ServiceCaller, UserCaller } from '../../identity/auth.ts';
import type { AppError, ErrorCode } from '../../errors.ts';
import type { Upload } from '../read/upload.ts';
import type { RuleViolation, ValidFields } from '../read/validation.ts';

/**
 * Who may call, and what a handler then knows of the caller: `member` is a student, a teacher or an administrator;
 * `service` is another process of this system.
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

/** The few facts about the HTTP request that a handler may need. */
export interface RequestInfo {
  /** Address of the client as the gateway saw it. */
  clientAddress: string;
  userAgent: string;
  idempotencyKey: string | undefined;
  /** Any header; the name is in lower case. */
  header(name: string): string | undefined;
  /** The body's bytes; only where the route has `raw`. */
  rawBody: Buffer;
  /** Reads the file in the body; only where the route has `upload`. */
  upload: Upload;
}

/**
 * An answer that is more than a JSON payload: headers, another status or another content type. A `Readable` body is
 * streamed as the client reads it; if it fails after the first piece, the connection is cut.
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

/** A JSON payload that is text already: large answers that are kept. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Parsed<Schema> = Schema extends z.ZodObject ? z.output<Schema> : Record<never, never>;

export interface RouteSpec<A extends Auth, P, Q, B, R extends z.ZodType> {
  summary: string;
  /** For the reference, in Markdown: who calls it, its effect, refusals and limits. Every public route has one. */
  description?: string;
  auth: A;
  /** Path parameters that do not fit are an unknown record: `notFound`, not a 422. */
  params?: P;
  query?: Q;
  body?: B;
  /**
   * Rules about body and query that need the database. `params` is undefined when they name no record. Returns the
   * broken rules, which are reported together with the errors of the form.
   */
  rules?: (input: {
    fields: ValidFields<Parsed<Q> & Parsed<B>>;
    params: Parsed<P> | undefined;
    caller: CallerOf[A];
  }) => Promise<RuleViolation[]>;
  response: R;
  /** Status of success; 200 unless given. */
  status?: 200 | 201;
  /** Refusals beyond those that the declaration implies and those that every route shares: see `refusalsOf`. */
  errors?: ErrorCode[];
  notFound?: () => AppError;
  /** Takes the header `Idempotency-Key`. */
  idempotent?: true;
  /** The handler gets the body's bytes instead of parsed input (webhooks). */
  raw?: true;
  /** The body is a form with a file, which the handler reads with `request.upload`. */
  upload?: true;
  /** Returns a `Download`: the whole file or ranges of it. */
  download?: true;
  /** Content type of an answer that is not JSON: text, bytes or a `Readable`; the gateway adds no envelope. */
  produces?: string;
  /** Undefined: an unknown record. */
  handle(input: {
    params: Parsed<P>;
    query: Parsed<Q>;
    body: Parsed<B>;
    caller: CallerOf[A];
    request: RequestInfo;
  }): Promise<z.input<R> | Reply | undefined> | z.input<R> | Reply | undefined;
}

/** A declared endpoint with its types erased: what mounting and the reference read. */
export interface Route extends Omit<
  RouteSpec<Auth, z.ZodObject, z.ZodObject, z.ZodObject, z.ZodType>,
  'handle' | 'rules'
> {
  method: Method;
  /** The whole path as clients see it, parameters in braces: `/api/rooms/{uuid}`. */
  path: string;
  /** The command of a route of `service` (`command()` of internal/command.ts). */
  command?: { owner: string; callers: readonly string[] };
  rules?(input: { fields: object; params: unknown; caller: Caller }): Promise<RuleViolation[]>;
  handle(input: { params: unknown; query: unknown; body: unknown; caller: Caller; request: RequestInfo }): unknown;
}

/** `get /api/rooms/{uuid}`: a method, and the whole path as clients see it, parameters in braces. */
export type Endpoint = `${Method} ${string}`;

export const endpoint = (text: Endpoint): { method: Method; path: string } => {
  const [method, path] = text.split(' ') as [Method, string];
  return { method, path };
};

/**
 * Declares one endpoint; mounting, validation, types and the reference all read it. Handlers get parsed input and the
 * caller, return the payload, and throw AppError to refuse.
 */
export function route<
  A extends Auth,
  R extends z.ZodType,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodObject | undefined = undefined,
>(at: Endpoint, spec: RouteSpec<A, P, Q, B, R>): Route {
  return { ...(spec as unknown as Route), ...endpoint(at) };
}

/** A route that the gateway forwards to, so the reference shows it. */
export const isPublic = (spec: Route) => spec.path.startsWith('/api/');

/** Refusals that every request can get. */
const SHARED_REFUSALS: ErrorCode[] = ['malformed', 'too_large', 'unsupported_media_type', 'unavailable', 'internal'];

/** The refusals of one route: the declared ones and those that the rest of its declaration implies. */
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

/** Whether the reference lists this refusal for the route. */
export const isDocumented = (spec: Route, code: ErrorCode) =>
  !isPublic(spec) || SHARED_REFUSALS.includes(code) || refusalsOf(spec).includes(code);
