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
