import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Response } from 'express';
import { RECHECK_MS } from '../deadlines.ts';
import { exchangeOf, type Bearer, type Exchange } from '../exchange/exchange.ts';
import type { Language } from '@tutoring/shared/kit/process/language';
import type { Revocation } from './revocations.ts';
import type { Auth } from './verdicts.ts';

/** Whether two identities of one token may do the same. */
export const hasSameRights = (one: Bearer, other: Bearer): boolean =>
  one.kind !== 'admin' ||
  (other.kind === 'admin' && one.level === other.level && isDeepStrictEqual(one.rights, other.rights));

/** A request of an administrator that is in progress. */
interface RunningRequest {
  caller: Bearer;
  token: string;
  language: Language;
  /** Ends the request: the caller may no longer receive the answer. */
  cut: () => void;
}

/**
 * Requests of administrators that read or upload. When a revocation names a token, it is verified again, and its
 * requests are cut unless the rights are the same: an export or upload may run for minutes.
 */
export function createRunning(auth: Pick<Auth, 'cached' | 'verify'>) {
  const bySubject = new Map<string, Set<RunningRequest>>();

  async function recheck({ caller, token, language, cut }: RunningRequest): Promise<void> {
    const verdict = await Promise.race([auth.verify(token, language), delay(RECHECK_MS, undefined, { ref: false })]);
    if (verdict?.kind !== 'good' || !hasSameRights(caller, verdict.caller)) cut();
  }

  return {
    /** Verifies the token of an administrator again if its verdict has ended while the request was queued. */
    async renew(exchange: Exchange): Promise<void> {
      const { verdict, token, language } = exchange;
      if (verdict?.kind !== 'good' || verdict.caller.kind !== 'admin' || token === undefined) return;
      if (auth.cached(token) !== verdict) exchange.verdict = await auth.verify(token, language);
    },

    /** Watches a request until its response is closed. Does nothing for the requests of users. */
    add(res: Response, cut: () => void): void {
      const { verdict, token, language } = exchangeOf(res);
      if (verdict?.kind !== 'good' || verdict.caller.kind !== 'admin' || token === undefined) return;
      const { caller, subject } = verdict;
      const running = { caller, token, language, cut };
      const ofSubject = bySubject.get(subject) ?? new Set<RunningRequest>();
      bySubject.set(subject, ofSubject.add(running));
      res.once('close', () => {
        ofSubject.delete(running);
        if (ofSubject.size === 0 && bySubject.get(subject) === ofSubject) bySubject.delete(subject);
      });
    },

    revoke({ subject, token_ids }: Revocation): void {
      for (const running of bySubject.get(subject) ?? [])
        if (token_ids.length === 0 || token_ids.includes(running.caller.tokenId)) void recheck(running);
    },
  };
}

export type Running = ReturnType<typeof createRunning>;
