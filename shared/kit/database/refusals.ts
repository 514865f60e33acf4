import { AppError } from '../errors.ts';
import { texts } from '../language/texts.ts';

const detailsOf = (error: unknown) =>
  (error ?? {}) as { code?: string; constraint?: string; message?: string; routine?: string };

/** SQLSTATE (or the socket's error code) of a failed query. */
export const sqlState = (error: unknown) => detailsOf(error).code;

/** Name of the constraint that a query violated. */
export const violatedConstraint = (error: unknown) => detailsOf(error).constraint;

/**
 * Whether a migration has changed the result type of a prepared statement: this session can no longer run it. The
 * message cannot be matched because it is in the server's language.
 */
export const isStalePlan = (error: unknown) =>
  sqlState(error) === '0A000' && detailsOf(error).routine === 'RevalidateCachedQuery';

/**
 * Whether PostgreSQL rolled back because of a serialization failure, deadlock or stale plan: the transaction may be
 * retried.
 */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(sqlState(error) ?? '') || isStalePlan(error);

/** SQLSTATEs of a server that is unreachable, starting, stopping, demoted, full or overloaded. */
const SQLSTATES = /^(08...|53...|57P0.|57014|55P03|25006|25P03|25P04|58030)$/;

/** Error codes of a broken socket. */
const SOCKET =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|EPROTO|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENETRESET|ENOTCONN|ENOTFOUND|EAI_\w+|EADDRNOTAVAIL|EMFILE|ENFILE|ERR_SSL_\w+|ERR_SOCKET_\w+|ERR_STREAM_(DESTROYED|WRITE_AFTER_END))$/;

/** Messages of pg and pg-pool about a broken connection, an exhausted pool, and a pool that is closing. */
const MESSAGES = [
  /^Connection terminated/,
  /^timeout (expired|exceeded when trying to connect)$/,
  /^Client (has encountered a connection error|was closed) and is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
  /^Received unexpected \w+ message from backend\.$/,
  /^received invalid response: /,
];

/**
 * Whether the database or a called service is unavailable or overloaded, so that the same request may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable';
  const { code = '', message = '' } = detailsOf(error);
  return SQLSTATES.test(code) || SOCKET.test(code) || MESSAGES.some((pattern) => pattern.test(message));
}

/** The 503 for a database that is unavailable, overloaded or contended; undefined for any other error. */
export function asDatabaseRefusal(error: unknown): AppError | undefined {
  if (!isUnavailable(error) && !isRetryable(error)) return undefined;
  return new AppError('unavailable', texts.busy, { retryAfter: 1, cause: error });
}
