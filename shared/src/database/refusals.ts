import { AppError } from '../errors.ts';

interface DriverError {
  code?: string;
  constraint?: string;
  driverError?: DriverError;
}

/** SQLSTATE (or the socket's code) of what a query threw, also when TypeORM wrapped it. */
export function sqlState(error: unknown): string | undefined {
  const { code, driverError } = (error ?? {}) as DriverError;
  return driverError?.code ?? code;
}

/** Name of the constraint that a query violated. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint, driverError } = (error ?? {}) as DriverError;
  return driverError?.constraint ?? constraint;
}

/** A serialisation failure or deadlock: the whole transaction may be run again. */
export const isRetryable = (error: unknown) => ['40001', '40P01'].includes(sqlState(error) ?? '');

const UNAVAILABLE =
  /^(08...|53...|57P0.|57014|55P03|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** True when the database (or a service that was asked) is away or too busy, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable';
  const message = error instanceof Error ? error.message : '';
  return (
    UNAVAILABLE.test(sqlState(error) ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
  );
}

/** The 503 for a database that is away, too busy or contended; undefined for anything else. */
export function asDatabaseRefusal(error: unknown): AppError | undefined {
  if (!isUnavailable(error) && !isRetryable(error)) return undefined;
  return new AppError('unavailable', 'The service is busy. Please try again.', { retryAfter: 1, cause: error });
}
