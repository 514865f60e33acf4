import cors from 'cors';

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
export function createCors(origins: string[]) {
  return cors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    preflightContinue: true,
  });
}
