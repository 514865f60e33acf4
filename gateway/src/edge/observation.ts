import type { Response } from 'express';
import type { Metrics } from '@tutoring/shared/process/metrics';
import { currentTraceparent, serverSpan, tracingEnabled } from '@tutoring/shared/process/tracing';
import { isDashboard } from '../dashboard/dashboard.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** The part of a path that is in the table: never one with ids in it. */
function placeName({ path, place }: Exchange): string {
  if (isDashboard(path)) return '/admin';
  if (!place) return 'unknown';
  const [, api = '', first = '', second = ''] = path.split('/');
  return first === 'admin' ? `/${api}/${first}/${second}` : `/${api}/${first}`;
}

/** Call this when the answer has ended: counts the request by place and by the status in the body. */
export function observation(metrics: Metrics, exchange: Exchange): () => void {
  const started = performance.now();
  return () => {
    const seconds = (performance.now() - started) / 1_000;
    metrics.observeRequest(placeName(exchange), exchange.method, exchange.answered ?? 499, seconds);
  };
}

/** Runs `next` inside a span of this request, when tracing is on; services then see that span as their parent. */
export function trace(exchange: Exchange, res: Response, next: () => void): void {
  if (!tracingEnabled()) {
    next();
    return;
  }
  const span = serverSpan(exchange.traceparent, `${exchange.method} ${placeName(exchange)}`, () => {
    exchange.traceparent = currentTraceparent() ?? exchange.traceparent;
    next();
  });
  res.once('close', () => {
    span?.setAttributes({ request_id: exchange.id, 'http.response.status_code': exchange.answered ?? 499 });
    span?.end();
  });
}
