import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { clientOf } from '@tutoring/shared/kit/process/client-network';
import { createOutage } from '@tutoring/shared/kit/process/logger';
import type { GatewayConfig } from '../config.ts';
import type { Parts } from '../parts.ts';
import { REDIS_CONNECT_MS } from '../deadlines.ts';
import { exchangeOf, type Budget } from '../exchange/exchange.ts';
import { refuseMethod, refuseOwn, retryHeaders } from '../exchange/respond.ts';
import { ALLOWED_METHODS, isForwarded, isOwnAdminAccount, limitOf, type LimitClass } from '../exchange/routes.ts';
import type { Auth } from './verdicts.ts';

const WINDOW_SECONDS = 60;
const WEBHOOKS_PER_WINDOW = 600;
/** Requests for files of the dashboard: enough for an office of fifty that opens it at the same time. */
const PAGES_PER_WINDOW = 3_000;
/** Milliseconds of processor time for a client's large answers: a sixth of a processor. */
const COST_PER_WINDOW = 10_000;

/** Fixed windows of 60 s, counted in Redis for all gateways, or in memory without Redis or while it is unreachable. */
export async function createRateLimits(
  parts: Pick<Parts, 'timings' | 'logger'> & {
    config: Pick<GatewayConfig, 'AUTH_RATE_LIMIT' | 'API_RATE_LIMIT' | 'REDIS_URL' | 'NATS_PREFIX'>;
  },
) {
  const { config } = parts;
  const redis = config.REDIS_URL === undefined ? undefined : await connectRedis(config.REDIS_URL, parts);
  const limiter = (name: LimitClass | 'cost', points: number) => {
    const common = { points, duration: WINDOW_SECONDS };
    const memory = new RateLimiterMemory({ ...common, keyPrefix: '' });
    if (!redis) return memory;
    return new RateLimiterRedis({
      ...common,
      // Several systems can share one Redis.
      keyPrefix: `${config.NATS_PREFIX}:limit:${name}`,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: memory,
    });
  };
  const limiters: Record<LimitClass, RateLimiterMemory | RateLimiterRedis> = {
    auth: limiter('auth', config.AUTH_RATE_LIMIT),
    api: limiter('api', config.API_RATE_LIMIT),
    webhooks: limiter('webhooks', WEBHOOKS_PER_WINDOW),
    pages: limiter('pages', PAGES_PER_WINDOW),
  };
  const costs = limiter('cost', COST_PER_WINDOW);

  async function consume(limiter: RateLimiterMemory | RateLimiterRedis, key: string, points: number): Promise<Budget> {
    // When the budget is exceeded, the limiter throws its result.
    const count = await limiter.consume(key, points).catch((error: unknown) => {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    });
    const { consumedPoints, remainingPoints: remaining, msBeforeNext: resetMs } = count;
    return { limit: limiter.points, remaining, exceeded: consumedPoints > limiter.points, resetMs };
  }

  return {
    /** Counts one request. */
    take: (limitClass: LimitClass, key: string): Promise<Budget> => consume(limiters[limitClass], key, 1),
    /** Counts milliseconds of processor time for large answers. */
    spend: (key: string, cost: number): Promise<Budget> => consume(costs, key, cost),
    /** Uncounts a request. */
    refund: async (limitClass: LimitClass, key: string): Promise<void> => void (await limiters[limitClass].reward(key)),
    stop: () => redis?.disconnect(),
  };
}

export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>;

/** Does not wait for the connection. Loads the client library only when Redis is configured. */
async function connectRedis(url: string, { timings, logger }: Pick<Parts, 'timings' | 'logger'>): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timings.redis,
    maxRetriesPerRequest: 1,
    connectTimeout: REDIS_CONNECT_MS,
    // After closing, replies are not needed; on a lost connection they would never come.
    disconnectTimeout: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  const outage = createOutage(logger, { server: 'Redis', meanwhile: 'requests are counted in memory' });
  redis.on('error', outage.failed);
  redis.on('ready', outage.recovered);
  return redis;
}

/* `admit` and `admitPage` set the exchange's budget, and return false after answering with a refusal. */

interface Admission {
  auth: Auth;
  limits: RateLimits;
}

/** Counts a request, and refuses it when the budget is exceeded. */
async function isWithinBudget({ limits }: Admission, res: Response, ...counted: readonly [LimitClass, key: string]) {
  const budget = await limits.take(...counted);
  exchangeOf(res).budget = budget;
  if (budget.exceeded) refuseOwn(res, 'tooManyAttempts', retryHeaders(budget.resetMs));
  return !budget.exceeded;
}

/** Counts a request for a file of the dashboard in a separate budget: a page needs dozens of files. */
export const admitPage = (parts: Admission, res: Response) =>
  isWithinBudget(parts, res, 'pages', clientOf(exchangeOf(res).address));

/**
 * Counts a request of class `api` by person when the bearer is good, every other request by address, before identity
 * is asked; refuses unknown routes and methods; then verifies the bearer and sets the verdict.
 */
export async function admit(parts: Admission, res: Response): Promise<boolean> {
  const { auth, limits } = parts;
  const exchange = exchangeOf(res);
  const { route, method, path } = exchange;
  const token = route?.limit === 'webhooks' ? undefined : exchange.token;
  const cached = token === undefined ? undefined : auth.cached(token);
  const countsByPerson = token !== undefined && limitOf(route, method, path, true) === 'api';
  const byAddress = () => [limitOf(route, method, path, false), clientOf(exchange.address)] as const;
  exchange.verdict = cached;
  const counted = cached?.kind === 'good' && countsByPerson ? (['api', cached.subject] as const) : byAddress();
  if (!(await isWithinBudget(parts, res, ...counted))) return false;
  if (!route) {
    refuseOwn(res, 'routeNotFound');
    return false;
  }
  if (!isForwarded(method, route)) {
    refuseMethod(res, ALLOWED_METHODS);
    return false;
  }
  if (token === undefined) return true;
  const verdict = await auth.verify(token, exchange.language);
  exchange.verdict = verdict;
  if (verdict.kind !== 'good') return true;
  if (!cached && countsByPerson) {
    await limits.refund(...byAddress());
    if (!(await isWithinBudget(parts, res, 'api', verdict.subject))) return false;
  }
  if (!verdict.needsTotp || isOwnAdminAccount(route)) return true;
  refuseOwn(res, 'setUpTotp');
  return false;
}
