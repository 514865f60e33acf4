import cors from 'cors';
import type { RequestHandler } from 'express';

const EXPOSED = [
  'X-Request-Id',
  'X-Status-Code',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
];

/** Cross-origin access for the configured origins; answers preflights. */
export function createCors(origins: string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  });
}
