import { pino, stdTimeFunctions, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { currentContext } from './context.ts';
import { reportError } from './error-report.ts';

export type { Logger };

const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-identity"]',
  '*.password',
  '*.token',
];

/** Logs JSON lines to standard output (or `to`), each with the service's name and the current request id. */
export function createLogger(service: string, level: string, to: DestinationStream = pino.destination(1)): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error: unknown) => reportError(error) },
    redact: { paths: REDACTED, censor: '[redacted]' },
    mixin: () => {
      const context = currentContext();
      return context ? { request_id: context.requestId } : {};
    },
  };
  return pino(options, to);
}

/** Interval at which a continuing outage is logged again. */
const REPEAT_MS = 10_000;

/** SQLSTATEs of wrong credentials, a missing database or permission; TLS error codes of OpenSSL and Node. */
const REFUSED_CODE = /^(28\w{3}|3D000|42501|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;
/** Errors of the NATS client. */
const REFUSED_NAME = /^(AuthorizationError|UserAuthenticationExpiredError|InvalidArgumentError)$/;
/** Error answers of Redis. */
const REFUSED_MESSAGE = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/;

interface Fields {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown[];
  /** The answer of an S3 store. */
  $metadata?: { httpStatusCode?: number };
}

/** An error and its causes; of an AggregateError (several connection attempts) only the first. */
function causesOf(error: unknown): Fields[] {
  const { cause, errors } = (error ?? {}) as Fields;
  const next = cause ?? errors?.[0];
  return [error as Fields, ...(next === undefined ? [] : causesOf(next))];
}

const isRefusal = ({ name, message, code, $metadata }: Fields) =>
  REFUSED_CODE.test(String(code)) ||
  REFUSED_NAME.test(name ?? '') ||
  REFUSED_MESSAGE.test(message ?? '') ||
  Math.floor(($metadata?.httpStatusCode ?? 0) / 100) === 4;

/** The error, among an error and its causes, by which a server refused; undefined when the server is unreachable. */
export const findRefusal = (error: unknown) => causesOf(error).find(isRefusal);

/**
 * Logs that a required server is unreachable or refuses this process: at once, and every ten seconds as long as
 * attempts fail. Then logs that it answers again. `meanwhile`: what the process does without the server.
 */
export function createOutage(
  logger: Logger,
  { server, meanwhile, now = () => performance.now() }: { server: string; meanwhile?: string; now?: () => number },
) {
  let since: number | undefined;
  let logged: { what: string; at: number } | undefined;
  const seconds = () => Math.round((now() - (since ?? now())) / 1_000);

  return {
    failed: (error: unknown) => {
      since ??= now();
      const refusal = findRefusal(error);
      const what = `${server} ${refusal ? 'refuses this process' : 'is unreachable'}`;
      if (logged?.what === what && now() - logged.at < REPEAT_MS) return;
      logged = { what, at: now() };
      const { message } = reportError(refusal ?? causesOf(error).at(-1));
      logger.warn({ reason: message, seconds: seconds() }, meanwhile ? `${what}: ${meanwhile}` : what);
    },
    recovered: () => {
      if (since === undefined) return;
      logger.info({ seconds: seconds() }, `${server} answers again`);
      since = logged = undefined;
    },
  };
}

export type Outage = ReturnType<typeof createOutage>;
