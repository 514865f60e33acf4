import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { clientOf } from '@tutoring/shared/process/client-network';
import { createOutage } from '@tutoring/shared/process/logger';
import type { Deps, GatewayConfig } from '../config.ts';
import { REDIS_CONNECT_MS } from '../deadlines.ts';
import { exchangeOf, type Budget } from '../exchange/exchange.ts';
import { refuseMethod, refuseOwn, retryHeaders } from '../exchange/respond.ts';
import { ALLOWED_METHODS, isForwarded, isOwnAdminAccount, limitOf, type LimitClass } from '../exchange/routes.ts';
import type { Auth } from './verdicts.ts';

const WINDOW_SECONDS = 60;
const WEBHOOKS_PER_WINDOW = 600;
/** Files of the dashboard: an office of fifty opens it at once. */
const PAGES_PER_WINDOW = 3_000;
/** Milliseconds that large answers may cost a client: a sixth of a processor. */
const COST_PER_WINDOW = 10_000;

/** Fixed windows of 60 s, counted in Redis for all gateways; in memory without Redis or while it is away. */
export async function createRateLimits(
  deps: Pick<Deps, 'timings' | 'logger'> & {
    config: Pick<GatewayConfig, 'AUTH_RATE_LIMIT' | 'API_RATE_LIMIT' | 'REDIS_URL' | 'NATS_PREFIX'>;
  },
) {
  const { config } = deps;
  const redis = config.REDIS_URL === undefined ? undefined : await connectRedis(config.REDIS_URL, deps);
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
    // Beyond the budget the limiter throws its count.
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
    /** Counts milliseconds of large answers. */
    spend: (key: string, cost: number): Promise<Budget> => consume(costs, key, cost),
    /** Takes one count back. */
    giveBack: async (limitClass: LimitClass, key: string): Promise<void> =>
      void (await limiters[limitClass].reward(key)),
    stop: () => redis?.disconnect(),
  };
}

export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>;

/** Does not wait for the connection; the client is loaded only where Redis is used. */
async function connectRedis(url: string, { timings, logger }: Pick<Deps, 'timings' | 'logger'>): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timings.redis,
    maxRetriesPerRequest: 1,
    connectTimeout: REDIS_CONNECT_MS,
    // Once closed nobody needs the reply; and the reply of a connection that was lost before would never come.
    disconnectTimeout: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  const outage = createOutage(logger, { server: 'Redis', meanwhile: 'requests are counted in memory' });
  redis.on('error', outage.failed);
  redis.on('ready', outage.recovered);
  return redis;
}

/** Admits requests. What it returns sets the exchange's budget, and returns false when it has answered the request. */
export function createAdmission({ auth, limits }: { auth: Auth; limits: RateLimits }) {
  /** Counts a request, and refuses it beyond its budget. */
  async function isWithinBudget(res: Response, ...counted: readonly [LimitClass, key: string]): Promise<boolean> {
    const budget = await limits.take(...counted);
    exchangeOf(res).budget = budget;
    if (budget.exceeded) refuseOwn(res, 'tooManyAttempts', retryHeaders(budget.resetMs));
    return !budget.exceeded;
  }

  /** Counts a request for a file of the dashboard: they are the same for everybody, and a page is dozens of them. */
  const admitPage = (res: Response) => isWithinBudget(res, 'pages', clientOf(exchangeOf(res).address));

  /**
   * Counts a request of class `api` by person where the bearer is good, everything else by address, whose budget is
   * checked before identity is asked; answers unknown routes and methods; then verifies the caller and sets the verdict.
   */
  async function admit(res: Response): Promise<boolean> {
    const exchange = exchangeOf(res);
    const { place, method, path } = exchange;
    const token = place?.limit === 'webhooks' ? undefined : exchange.token;
    const known = token === undefined ? undefined : auth.known(token);
    const isByPerson = token !== undefined && limitOf(place, method, path, true) === 'api';
    const stranger = () => [limitOf(place, method, path, false), clientOf(exchange.address)] as const;
    exchange.verdict = known;
    const counted = known?.kind === 'good' && isByPerson ? (['api', known.subject] as const) : stranger();
    if (!(await isWithinBudget(res, ...counted))) return false;
    if (!place) {
      refuseOwn(res, 'routeNotFound');
      return false;
    }
    if (!isForwarded(method, place)) {
      refuseMethod(res, ALLOWED_METHODS);
      return false;
    }
    if (token === undefined) return true;
    const verdict = await auth.verify(token, exchange.language);
    exchange.verdict = verdict;
    if (verdict.kind !== 'good') return true;
    if (!known && isByPerson) {
      await limits.giveBack(...stranger());
      if (!(await isWithinBudget(res, 'api', verdict.subject))) return false;
    }
    if (!verdict.needsTotp || isOwnAdminAccount(place)) return true;
    refuseOwn(res, 'setUpTotp');
    return false;
  }

  return { admit, admitPage };
}
