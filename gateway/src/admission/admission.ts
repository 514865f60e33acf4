import type { Request, Response } from 'express';
import { clientOf } from '@tutoring/shared/process/client-network';
import type { Exchange } from '../exchange/exchange.ts';
import { refuseMethod, refuseOwn, refuseRoute, retryHeaders } from '../exchange/respond.ts';
import { ALLOWED_METHODS, isOwnAdminAccount, limitOf, type LimitClass } from '../exchange/routes.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Auth } from './verdicts.ts';

const SCHEME = /^bearer +(\S+)$/i;

/** The bearer of an Authorization header; undefined when there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : SCHEME.exec(header.trim())?.[1];
}

/** Admits requests. What it returns sets the exchange's budget, and returns false when it has answered the request. */
export function createAdmission({ auth, limits }: { auth: Auth; limits: RateLimits }) {
  const classOf = ({ place, method, path }: Exchange, isVerified: boolean) => limitOf(place, method, path, isVerified);

  async function count(exchange: Exchange, limitClass: LimitClass, key: string): Promise<void> {
    exchange.budget = await limits.take(limitClass, key);
  }

  /**
   * Counts class `api` by person where the bearer is good, everything else by address. The address's budget is checked
   * before identity is asked.
   */
  async function countAndIdentify(exchange: Exchange, token: string | undefined): Promise<void> {
    const known = token === undefined ? undefined : auth.known(token);
    const isByPerson = token !== undefined && classOf(exchange, true) === 'api';
    const asStranger = () => [classOf(exchange, false), clientOf(exchange.address)] as const;
    exchange.verdict = known;
    if (known?.kind === 'good' && isByPerson) await count(exchange, 'api', known.subject);
    else await count(exchange, ...asStranger());
    const isAnswered = exchange.budget?.exceeded || !exchange.place || !exchange.methodIsForwarded;
    if (isAnswered || token === undefined) return;
    exchange.verdict = await auth.verify(token, exchange.language);
    if (known || exchange.verdict.kind !== 'good' || !isByPerson) return;
    await limits.giveBack(...asStranger());
    await count(exchange, 'api', exchange.verdict.subject);
  }

  function isWithinBudget(exchange: Exchange, res: Response): boolean {
    if (!exchange.budget?.exceeded) return true;
    refuseOwn(res, exchange, 'tooManyAttempts', retryHeaders(exchange.budget.resetMs));
    return false;
  }

  /** Counts a request for a file of the dashboard: they are the same for everybody, and a page is dozens of them. */
  async function admitPage(exchange: Exchange, res: Response): Promise<boolean> {
    await count(exchange, 'pages', clientOf(exchange.address));
    return isWithinBudget(exchange, res);
  }

  /** Counts a request, answers unknown routes and methods, then verifies the caller and sets the verdict. */
  async function admit(exchange: Exchange, req: Request, res: Response): Promise<boolean> {
    const isWebhook = exchange.place?.limit === 'webhooks';
    await countAndIdentify(exchange, isWebhook ? undefined : bearerOf(req.headers.authorization));
    if (!isWithinBudget(exchange, res)) return false;
    if (!exchange.place) {
      refuseRoute(res, exchange);
      return false;
    }
    if (!exchange.methodIsForwarded) {
      refuseMethod(res, exchange, ALLOWED_METHODS);
      return false;
    }
    if (exchange.verdict?.kind === 'good' && exchange.verdict.needsTotp && !isOwnAdminAccount(exchange.place)) {
      refuseOwn(res, exchange, 'setUpTotp');
      return false;
    }
    return true;
  }

  return { admit, admitPage };
}
