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

/** JSON lines on standard output (or `to`), each with the service's name and the id of the request it belongs to. */
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

const AGAIN_MS = 10_000;

/** SQLSTATEs of a wrong name, password, database or right; OpenSSL's and Node's codes of TLS. */
const REFUSED_CODE = /^(28\w{3}|3D000|42501|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;
/** What the client of NATS throws. */
const REFUSED_NAME = /^(AuthorizationError|UserAuthenticationExpiredError|InvalidArgumentError)$/;
/** How Redis begins its answer. */
const REFUSED_MESSAGE = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/;

interface Fields {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown[];
  /** Of a store of files: its answer. */
  $metadata?: { httpStatusCode?: number };
}

/** An error, then what caused it; of several connections that were tried, the first. */
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

/** The part of an error that says why a server answers, and not as it should; undefined when it cannot be reached. */
export const refusalIn = (error: unknown) => causesOf(error).find(isRefusal);

/**
 * Says of a server that this process needs that it is unreachable or refuses: at once, then every ten seconds as long
 * as tries fail, and that it answers again. `meanwhile`: what the process does without it.
 */
export function createOutage(
  logger: Logger,
  { server, meanwhile, now = () => performance.now() }: { server: string; meanwhile?: string; now?: () => number },
) {
  let since: number | undefined;
  let said: { what: string; at: number } | undefined;
  const seconds = () => Math.round((now() - (since ?? now())) / 1_000);

  return {
    failed: (error: unknown) => {
      since ??= now();
      const refusal = refusalIn(error);
      const what = `${server} ${refusal ? 'refuses this process' : 'is unreachable'}`;
      if (said?.what === what && now() - said.at < AGAIN_MS) return;
      said = { what, at: now() };
      const { message } = reportError(refusal ?? causesOf(error).at(-1));
      logger.warn({ reason: message, seconds: seconds() }, meanwhile ? `${what}: ${meanwhile}` : what);
    },
    recovered: () => {
      if (since === undefined) return;
      logger.info({ seconds: seconds() }, `${server} answers again`);
      since = said = undefined;
    },
  };
}

export type Outage = ReturnType<typeof createOutage>;
