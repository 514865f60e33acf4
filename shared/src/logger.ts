import { pino, stdTimeFunctions, type Logger } from 'pino';
import { currentContext } from './context.ts';

export type { Logger };

const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-identity"]',
  '*.password',
  '*.token',
];

/** JSON lines on standard output, each with the service's name and the id of the request it belongs to. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
    mixin: () => {
      const context = currentContext();
      return context ? { request_id: context.requestId } : {};
    },
  });
}
