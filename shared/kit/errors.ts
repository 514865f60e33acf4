import { pluralize } from './language/localized.ts';
import { texts } from './language/texts.ts';

/**
 * All refusal codes with their HTTP status between services; the gateway's routing table decides which status clients
 * get. There is one code per status, except for the commented ones, which callers treat differently. `internal` stands
 * for unexpected errors.
 */
export const HTTP_STATUS = {
  malformed: 400,
  unauthenticated: 401,
  /**
   * The signature of the calling process was refused. Callers turn it into unavailable, so that no user is logged out.
   */
  identity_refused: 401,
  payment_required: 402,
  forbidden: 403,
  /** An administrator's second factor is missing or wrong: the only 403 whose message reaches the client. */
  second_factor: 403,
  not_found: 404,
  /** The owner's release does not have the command. Callers turn it into unavailable, not into an unknown record. */
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

/** Field name (`email`, `domains.0`) to its error messages. */
export type FieldErrors = Record<string, string[]>;

interface ErrorDetails {
  errors?: FieldErrors;
  /** Value of `Retry-After`, in seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/** A refusal whose message the client may read. Any other error becomes `internal`, without details. */
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

/** A 422 with Laravel's summary: the first message and the number of further ones. */
export function invalid(errors: FieldErrors): AppError {
  const all = Object.values(errors).flat();
  const more = all.length - 1;
  const { andMore, givenDataInvalid } = texts.validation;
  const suffix = more > 0 ? pluralize(andMore, more) : '';
  return new AppError('invalid', `${all[0] ?? givenDataInvalid}${suffix}`, { errors });
}

/** For `catch`: returns undefined for not_found and rethrows any other error. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}

/** Throws the refusal unless `condition` holds. Narrows the type of the checked expression. */
export function assertThat(condition: unknown, refusal: () => AppError): asserts condition {
  if (!condition) throw refusal();
}
