import { counted } from './language/localized.ts';
import { texts } from './language/texts.ts';

/**
 * Every way to refuse a request, with its HTTP status in services; the gateway's table of routes decides what clients
 * get. A code is here where a caller acts differently: each status once, and three more for those who read codes.
 * `internal` is for errors that no code expects.
 */
export const HTTP_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  /** The signature of the calling process was refused: its client says unavailable, and nobody is logged out. */
  identity_refused: 401,
  payment_required: 402,
  forbidden: 403,
  /** An administrator's second factor is missing or wrong: the only 403 whose sentence reaches the client. */
  second_factor: 403,
  not_found: 404,
  /** The owner's release does not know the command: its client says unavailable, and nothing counts as unknown. */
  route_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

export type ErrorCode = keyof typeof HTTP_STATUS;

/** Field name (`email`, `domains.0`) to its sentences. */
export type FieldErrors = Record<string, string[]>;

interface ErrorDetails {
  errors?: FieldErrors;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  cause?: unknown;
}

/** A refusal whose message the caller may read. Any other thrown error becomes a bare `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldErrors | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
  }
}

/** A 422 with Laravel's summary: the first sentence and how many more there are. */
export function invalid(errors: FieldErrors): AppError {
  const all = Object.values(errors).flat();
  const more = all.length - 1;
  const { andMore, givenDataInvalid } = texts.validation;
  const suffix = more > 0 ? counted(andMore, more) : '';
  return new AppError('invalid', `${all[0] ?? givenDataInvalid}${suffix}`, { errors });
}

/** For `catch`: returns undefined for not_found; rethrows any other error. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}

/** Throws the refusal unless `condition` holds, and makes none when it does; narrows the type of what was checked. */
export function assertThat(condition: unknown, refusal: () => AppError): asserts condition {
  if (!condition) throw refusal();
}
