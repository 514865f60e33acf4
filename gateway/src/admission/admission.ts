import type { Response } from 'express';
import { clientOf } from '@tutoring/shared/process/client-network';
import { exchangeOf } from '../exchange/exchange.ts';
import { refuseMethod, refuseOwn, retryHeaders } from '../exchange/respond.ts';
import { ALLOWED_METHODS, isForwarded, isOwnAdminAccount, limitOf, type LimitClass } from '../exchange/routes.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Auth } from './verdicts.ts';

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
