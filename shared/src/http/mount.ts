import express, { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Caller, IdentitySigner } from '../auth.ts';
import { IDENTITY_HEADER } from '../auth.ts';
import { AppError } from '../errors.ts';
import { authorize } from './authorize.ts';
import { methodNotAllowed } from './error-handler.ts';
import { isDocumented, Reply, type RequestInfo, type Route } from './route.ts';
import { validate } from './validation.ts';

const BODY_LIMIT = '1mb';
const whatever = { limit: BODY_LIMIT, type: () => true };
const parseJson = express.json(whatever);
const parseForm = express.urlencoded({ ...whatever, extended: true });
const parseRaw = express.raw(whatever);

const hasBody = (req: Request) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

const PLAIN_JSON = /^application\/json\s*(;|$)/i;

/** The parser that the media type asks for; what is neither JSON nor a form is refused. */
const parseBody: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) next();
  else if (PLAIN_JSON.test(req.headers['content-type'] ?? '') || req.is(['application/json', 'application/*+json']))
    parseJson(req, res, next);
  else if (req.is('application/x-www-form-urlencoded')) parseForm(req, res, next);
  else throw new AppError('unsupported_media_type', 'Send the body as application/json.');
};

function requestInfo(req: Request): RequestInfo {
  const header = (name: string) => req.header(name);
  return {
    id: header('x-request-id') ?? '',
    clientAddress: header('x-client-address') ?? req.socket.remoteAddress ?? '',
    userAgent: header('user-agent') ?? '',
    idempotencyKey: header('idempotency-key'),
    header,
    rawBody: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
  };
}

function mergedInput(req: Request): Record<string, unknown> {
  const body: unknown = req.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('malformed', 'The request body must be a JSON object.');
  }
  return { ...req.query, ...(Buffer.isBuffer(body) ? {} : body) };
}

async function parsedParams(spec: Route, req: Request): Promise<unknown> {
  if (!spec.params) return {};
  const parsed = await spec.params.safeParseAsync(req.params);
  if (parsed.success) return parsed.data;
  throw spec.notFound?.() ?? new AppError('not_found', 'The record could not be found.');
}

function checkedKey(request: RequestInfo): RequestInfo {
  const key = request.idempotencyKey;
  if (key === undefined || (key.length > 0 && key.length <= 255)) return request;
  const message = 'The Idempotency-Key header must have 1 to 255 characters.';
  throw new AppError('invalid', message, { errors: { 'Idempotency-Key': [message] } });
}

function send(res: Response, spec: Route, result: unknown): void {
  const reply = result instanceof Reply ? result : new Reply(result);
  res.status(reply.status ?? spec.status ?? 200);
  for (const [name, value] of Object.entries(reply.headers)) res.setHeader(name, value);
  if (spec.produces) res.type(spec.produces).send(reply.body);
  else sendJson(res, reply.body);
}

/** What `res.json` does where etags are off, without looking at what kind of answer it is. */
function sendJson(res: Response, body: unknown): void {
  const text = JSON.stringify(body) ?? '';
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/** Throws when an answer does not have the documented shape. */
function checkResponse(spec: Route, result: unknown): void {
  const body = result instanceof Reply ? result.body : result;
  const parsed = spec.response.safeParse(body);
  if (!parsed.success)
    throw new Error(`${spec.method} ${spec.path} answers what it does not document: ${parsed.error.message}`);
}

/** The handler, failing where it answers or refuses as the reference does not tell: on in tests, off in production. */
async function checked(spec: Route, given: Parameters<Route['handle']>[0]): Promise<unknown> {
  const result = await Promise.resolve()
    .then(() => spec.handle(given))
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || isDocumented(spec, error.code)) throw error;
      throw new Error(`${spec.method} ${spec.path} does not document that it refuses: ${error.code}`, { cause: error });
    });
  checkResponse(spec, result);
  return result;
}

function handler(spec: Route, options: MountOptions) {
  return async (req: Request, res: Response): Promise<void> => {
    const input = spec.raw ? {} : mergedInput(req);
    const request = spec.idempotent ? checkedKey(requestInfo(req)) : requestInfo(req);
    const query = spec.query ? await validate(spec.query, input) : {};
    const body = spec.body ? await validate(spec.body, input) : {};
    const params = await parsedParams(spec, req);
    const given = { params, query, body, caller: res.locals['caller'] as Caller, request };
    const result = await (options.checkResponses ? checked(spec, given) : spec.handle(given));
    send(res, spec, result);
  };
}

export interface MountOptions {
  signer: IdentitySigner;
  checkResponses: boolean;
}

/** Express understands `:id`; declarations say `{id}`. */
export const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** A router with every declared route: route, method, caller, role, body, validation, handler, in this order. */
export function mount(routes: Route[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const paths = Map.groupBy(routes, (spec) => spec.path);
  for (const [path, specs] of paths) {
    const entry = router.route(expressPath(path));
    for (const spec of specs) {
      const guard = (req: Request, res: Response, next: NextFunction) => {
        const token = req.header(IDENTITY_HEADER);
        const caller: Caller | undefined = token === undefined ? { kind: 'anonymous' } : options.signer.verify(token);
        if (!caller && spec.auth !== 'public') throw new AppError('identity_refused', 'Unauthenticated.');
        res.locals['caller'] = caller ?? { kind: 'anonymous' };
        res.locals['route'] = spec.path;
        authorize(spec.auth, res.locals['caller'] as Caller);
        next();
      };
      entry[spec.method](guard, spec.raw ? parseRaw : parseBody, handler(spec, options));
    }
    entry.all(methodNotAllowed);
  }
  return router;
}
