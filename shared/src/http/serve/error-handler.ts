import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, HTTP_STATUS } from '../../errors.ts';
import { asDatabaseRefusal } from '../../database/refusals.ts';
import type { Logger } from '../../process/logger.ts';
import { fill } from '../../language/localized.ts';
import { texts } from '../../language/texts.ts';

export const unsupportedCharset = () => new AppError('unsupported_media_type', texts.body.charset);

/** What body-parser throws, by its `type`. */
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

/** Answers every error as `{code, message, errors?}` with its status; logs unexpected ones and hides their details. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const refusal = asAppError(error);
    if (refusal.code === 'internal') logger.error({ err: error }, 'a request failed');
    if (refusal.code === 'unavailable') logger.warn({ err: error }, 'a request could not be served');
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

/** The last handler of a path: refuses every method that the handlers before it do not take. */
export const methodNotAllowed = (methods: string[]): RequestHandler => {
  const allowed = methods.map((method) => method.toUpperCase()).join(', ');
  return (req, res) => {
    res.setHeader('allow', allowed);
    throw new AppError('method_not_allowed', fill(texts.methodNotAllowed, { method: req.method }));
  };
};
