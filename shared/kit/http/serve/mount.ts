import {
  Router,
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type Caller, type IdentitySigner, IDENTITY_HEADER } from '../../identity/auth.ts';
import { ANY_RIGHT, hasRight, seesContacts } from '../../identity/rights.ts';
import { asDatabaseRefusal } from '../../database/refusals.ts';
import { AppError, assertThat, HTTP_STATUS, invalid } from '../../errors.ts';
import { fill } from '../../language/localized.ts';
import { texts } from '../../language/texts.ts';
import { Download, sendDownload, pipeToResponse } from './download.ts';
import { onceFor } from './idempotency.ts';
import { plainAddress } from '../../process/client-network.ts';
import type { Logger } from '../../process/logger.ts';
import { parserOf, unsupportedCharset } from '../read/body.ts';
import { readJson } from '../read/json-reader.ts';
import { maskOf, type Mask } from '../declare/contacts.ts';
import { isDocumented, JsonText, Reply, type RequestInfo, type Route, type Auth } from '../declare/route.ts';
import { uploadOf } from '../read/upload.ts';
import { validate, objectShape, isStorable, type Rules, type ObjectShape } from '../read/validation.ts';

/** Refusals for errors of body-parser, by `type`. */
const BODY_ERRORS: Record<string, () => AppError> = {
  'entity.too.large': () => new AppError('too_large', texts.body.tooLarge),
  'parameters.too.many': () => new AppError('too_large', texts.body.tooManyFields),
  'charset.unsupported': unsupportedCharset,
  'encoding.unsupported': () => new AppError('unsupported_media_type', texts.body.encoding),
};

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { type, status } = error as { type?: string; status?: number };
  const known = BODY_ERRORS[type ?? ''];
  if (known) return known();
  if (status === 400) return new AppError('malformed', texts.body.malformed);
  return asDatabaseRefusal(error) ?? new AppError('internal', texts.serverError, { cause: error });
}

/** Answers errors as `{code, message, errors?}`. Logs unexpected errors and hides their details from the client. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const refusal = asAppError(error);
    if (refusal.code === 'internal') logger.error({ err: error }, 'a request failed with an unexpected error');
    if (refusal.code === 'unavailable') logger.warn({ err: error }, 'a request was refused as unavailable');
    if (res.headersSent) {
      next(error);
      return;
    }
    if (refusal.retryAfter !== undefined) res.setHeader('retry-after', String(refusal.retryAfter));
    res.status(HTTP_STATUS[refusal.code]);
    res.json({ code: refusal.code, message: refusal.message, ...(refusal.errors && { errors: refusal.errors }) });
  };
}

export const routeNotFound: RequestHandler = (req) => {
  throw new AppError('route_not_found', fill(texts.routeNotFound, { path: req.path.replace(/^\//, '') }));
};

/** The last handler of a path, which refuses methods without a route. */
const methodNotAllowed = (methods: string[]): RequestHandler => {
  const allowed = methods.map((method) => method.toUpperCase()).join(', ');
  return (req, res) => {
    res.setHeader('allow', allowed);
    throw new AppError('method_not_allowed', fill(texts.methodNotAllowed, { method: req.method }));
  };
};

const allowed: Record<Auth, (caller: Caller, callers: readonly string[]) => boolean> = {
  public: () => true,
  user: (caller) => caller.kind === 'user',
  student: (caller) => caller.kind === 'user' && caller.platform === 'student',
  teacher: (caller) => caller.kind === 'user' && caller.platform === 'teacher',
  member: (caller) => caller.kind === 'user' || caller.kind === 'admin',
  admin: (caller) => caller.kind === 'admin',
  su: (caller) => caller.kind === 'admin' && caller.level === 'su',
  service: (caller, callers) => caller.kind === 'service' && callers.includes(caller.name),
};

/** Whether an administrator has the right that the route needs. Other callers need none. */
const hasNeededRight = ({ right = ANY_RIGHT, orRight }: Route, caller: Caller) =>
  caller.kind !== 'admin' || hasRight(caller, right) || (orRight !== undefined && hasRight(caller, orRight));

/**
 * Throws unauthenticated for an anonymous caller, forbidden for a wrong role or a missing right. `callers`: processes
 * that may call.
 */
function authorize(spec: Route, caller: Caller, callers: readonly string[]): void {
  if (allowed[spec.auth](caller, callers) && hasNeededRight(spec, caller)) return;
  if (caller.kind === 'anonymous') throw new AppError('unauthenticated', texts.unauthenticated);
  throw new AppError('forbidden', texts.unauthorized);
}

const ASCII = /^[\x20-\x7e]*$/;

/** Decodes a header as UTF-8 if possible: Node always decodes headers as Latin-1. */
function textOf(value: string): string {
  if (ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

/** Checks the decoded text of a header. */
const isStorableHeader = (value: string) => isStorable(textOf(value));

function requestInfo(req: Request): RequestInfo {
  const header = (name: string) => {
    const value = req.header(name);
    return value !== undefined && isStorableHeader(value) ? value : undefined;
  };
  return {
    clientAddress: plainAddress(header('x-client-address') ?? req.socket.remoteAddress ?? ''),
    userAgent: textOf(header('user-agent') ?? ''),
    header,
    rawBody: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
    get upload() {
      return uploadOf(req);
    },
  };
}

/** Query and body together; the body wins. Of a JSON body, only the fields of the shape are read. */
function inputOf(req: Request, shape: ObjectShape): Record<string, unknown> {
  const body = (req.body ?? {}) as object;
  const read = Buffer.isBuffer(body) ? body.length > 0 && readJson(body, shape) : body;
  return { ...req.query, ...read };
}

/** Parsed path parameters; undefined when they are invalid, which stands for an unknown record. */
async function parsedParams(spec: Route, req: Request): Promise<object | undefined> {
  if (!spec.params) return {};
  if (!Object.values(req.params).flat().every(isStorable)) return undefined;
  return (await spec.params.safeParseAsync(req.params)).data;
}

/** The header `Idempotency-Key`. Throws invalid when it cannot be stored. */
function keyOf(req: Request): string | undefined {
  const key = req.header('idempotency-key');
  if (key === undefined || (key.length > 0 && key.length <= 255 && isStorableHeader(key))) return key;
  throw invalid({ 'Idempotency-Key': [texts.idempotencyKey.length] });
}

/** Method and path of an idempotent request, as stored with its key: `POST /api/rooms/<uuid>/messages`. */
const scopeOf = ({ method, path }: Route, params: object) =>
  `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name as keyof typeof params]))}`;

async function send(res: Response, spec: Route, result: unknown): Promise<void> {
  const reply: Partial<Reply> = result instanceof Reply ? result : { body: result };
  const streamed = reply.body instanceof Readable ? reply.body : undefined;
  if (streamed && !(await hasBegun(streamed, res))) return;
  res.status(reply.status ?? spec.status ?? 200);
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  if (spec.produces) res.type(spec.produces);
  if (streamed) await pipeToResponse(streamed, res);
  else if (spec.produces) res.send(reply.body);
  else sendJson(res, reply.body);
}

/** Waits for the first chunk, so that an earlier error can still be a refusal. False when the client disconnects. */
async function hasBegun(body: Readable, res: Response): Promise<boolean> {
  await Promise.race([once(body, 'readable'), once(res, 'close')]);
  if (res.destroyed) body.destroy();
  return !res.destroyed;
}

/** Like `res.json` without ETags, but without its type checks. */
function sendJson(res: Response, body: unknown): void {
  const text = body instanceof JsonText ? body.text : (JSON.stringify(body) ?? '');
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/** Throws when an answer does not match its schema. A command must return exactly the fields of the catalogue. */
function checkResponse(spec: Route, result: unknown): void {
  const payload = result instanceof Reply ? result.body : result;
  if (payload instanceof Readable) return;
  const body: unknown = payload instanceof JsonText ? JSON.parse(payload.text) : payload;
  const parsed = spec.response.safeParse(body);
  if (!parsed.success)
    throw new Error(`${spec.method} ${spec.path}: the answer does not match its schema: ${parsed.error.message}`);
  if (spec.auth === 'service' && !isDeepStrictEqual(parsed.data, JSON.parse(JSON.stringify(body))))
    throw new Error(
      `${spec.method} ${spec.path}: the answer has fields that the catalogue of commands does not declare`,
    );
}

/** Runs the handler and throws for an undeclared answer or refusal. Used in tests only. */
async function checked(spec: Route, given: Parameters<Route['handle']>[0]): Promise<unknown> {
  const result = await Promise.resolve()
    .then(() => spec.handle(given))
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || isDocumented(spec, error.code)) throw error;
      throw new Error(`${spec.method} ${spec.path} does not declare the refusal ${error.code}`, { cause: error });
    });
  if (result !== undefined || !isDocumented(spec, 'not_found')) checkResponse(spec, result);
  return result;
}

/** The result with its contacts masked, whatever form the handler returned it in. */
function maskResult(result: unknown, mask: Mask): unknown {
  if (result instanceof JsonText) return mask(JSON.parse(result.text));
  if (!(result instanceof Reply)) return mask(result);
  const { body, headers, status } = result;
  return new Reply(maskResult(body, mask), { headers, ...(status !== undefined && { status }) });
}

function handler(spec: Route, options: MountOptions) {
  const shape = objectShape(spec.query, spec.body);
  const mask = spec.auth === 'admin' || spec.auth === 'member' ? maskOf(spec.response) : undefined;
  return async (req: Request, res: Response): Promise<void> => {
    const input = spec.raw ? {} : inputOf(req, shape);
    const key = spec.idempotent && keyOf(req);
    const caller = res.locals['caller'] as Caller;
    const params = await parsedParams(spec, req);
    const rules: Rules<object> = async (fields) => (await spec.rules?.({ fields, params, caller })) ?? [];
    const query = spec.query ? await validate(spec.query, input, spec.body ? undefined : rules) : {};
    const body = spec.body ? await validate(spec.body, input, rules) : {};
    const unknown = () => spec.notFound?.() ?? new AppError('not_found', texts.recordNotFound);
    assertThat(params, unknown);
    const once = spec.idempotent && onceFor({ caller, scope: scopeOf(spec, params), key, body });
    const given = { params, query, body, caller, request: requestInfo(req), once };
    const full = await (options.checkResponses ? checked(spec, given) : spec.handle(given));
    assertThat(full !== undefined, unknown);
    const result = mask && !seesContacts(caller) ? maskResult(full, mask) : full;
    if (result instanceof Download) await sendDownload(req, res, result);
    else await send(res, spec, result);
  };
}

interface MountOptions {
  /** The service, whose commands may be mounted. */
  name: string;
  signer: IdentitySigner;
  checkResponses: boolean;
}

/** The processes that may send the route's command. Throws when the command belongs to another service. */
function commandCallers(service: string, { method, path, command }: Route): readonly string[] {
  if (command?.owner !== service) throw new Error(`${service}: ${method} ${path} is no command of this service`);
  return command.callers;
}

/** Throws unless a route for administrators declares the right that it needs, and no other route does. */
function assertRight({ method, path, auth, right, orRight }: Route): void {
  const needsRight = auth === 'admin' || auth === 'member';
  if (needsRight === (right !== undefined) && (needsRight || orRight === undefined)) return;
  throw new Error(`${method} ${path}: \`right\` is required with \`auth\` admin or member, and not allowed otherwise`);
}

/** Express expects `:id` where declarations have `{id}`. */
const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * A router for declared routes. Checks in this order: path, method, identity, role and right, body, validation; then the handler.
 */
export function mount(routes: Route[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const paths = Map.groupBy(routes, (spec) => spec.path);
  for (const [path, specs] of paths) {
    const entry = router.route(expressPath(path));
    for (const spec of specs) {
      assertRight(spec);
      const callers = spec.auth === 'service' ? commandCallers(options.name, spec) : [];
      const guard = (req: Request, res: Response, next: NextFunction) => {
        const token = req.header(IDENTITY_HEADER);
        const caller: Caller | undefined = token === undefined ? { kind: 'anonymous' } : options.signer.verify(token);
        if (!caller && spec.auth !== 'public') throw new AppError('identity_refused', texts.unauthenticated);
        res.locals['caller'] = caller ?? { kind: 'anonymous' };
        res.locals['route'] = spec.path;
        authorize(spec, res.locals['caller'] as Caller, callers);
        next();
      };
      entry[spec.method](guard, parserOf(spec), handler(spec, options));
    }
    entry.all(methodNotAllowed(specs.map(({ method }) => method)));
  }
  return router;
}
