import type { Response } from 'express';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Metrics } from '@tutoring/shared/process/metrics';
import { currentTraceparent, serverSpan, tracingEnabled } from '@tutoring/shared/process/tracing';
import type { Exchange } from '../exchange/exchange.ts';
import { DASHBOARD, isDashboard } from '../exchange/routes.ts';

type Answered = Pick<Exchange, 'id' | 'method' | 'path' | 'place' | 'answered' | 'refusal'>;

/** The part of a path that is in the table: never one with ids, or keys of files, in it. */
export function placeName({ path, place }: Pick<Exchange, 'path' | 'place'>): string {
  if (isDashboard(path)) return DASHBOARD;
  if (!place) return 'unknown';
  const [, api = '', first = '', second = ''] = path.split('/');
  return first === 'admin' ? `/${api}/${first}/${second}` : `/${api}/${first}`;
}

/** The client left before an answer. */
const LEFT = 499;

export type AnswerLog = (answered: Answered, seconds: number) => void;

/**
 * Writes a line about an answer: at `info` about the gateway's own refusals, where they are wanted, about all at
 * `debug`. Undefined when nothing is written.
 */
export function createAnswerLog(logger: Logger, { refusals }: { refusals: boolean }): AnswerLog | undefined {
  const all = logger.isLevelEnabled('debug');
  if (!all && !refusals) return undefined;
  return (answered, seconds) => {
    const { id, method, answered: status = LEFT, refusal } = answered;
    const isTold = refusals && refusal !== undefined;
    if (!isTold && !all) return;
    const facts = { request_id: id, method, route: placeName(answered), status, ms: Math.round(seconds * 1_000) };
    if (isTold) logger.info({ ...facts, refusal }, 'refused');
    else logger.debug({ ...facts, refusal }, 'answered');
  };
}

/** Call this when the answer has ended: counts the request by place and by the status in the body. */
export function observation(metrics: Metrics, log: AnswerLog | undefined, exchange: Exchange): () => void {
  const started = performance.now();
  return () => {
    const seconds = (performance.now() - started) / 1_000;
    metrics.observeRequest(placeName(exchange), exchange.method, exchange.answered ?? LEFT, seconds);
    log?.(exchange, seconds);
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
    span?.setAttributes({ request_id: exchange.id, 'http.response.status_code': exchange.answered ?? LEFT });
    span?.end();
  });
}
