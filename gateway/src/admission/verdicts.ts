import { circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import { AppError } from '@tutoring/shared/kit/errors';
import type { IdentitySigner } from '@tutoring/shared/kit/identity/auth';
import { parseBearer } from '@tutoring/shared/kit/identity/bearer';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import type { InternalClient } from '@tutoring/shared/contract/client';
import type { Language } from '@tutoring/shared/kit/process/language';
import type { ServiceName } from '@tutoring/shared/contract/names';
import { subjectOf, type Bearer, type BearerVerdict } from '../exchange/exchange.ts';
import { BAD_VERDICT_MS, VERDICT_WITHOUT_NATS_MS, type Timings } from '../deadlines.ts';
import { createTombstones, type Revocation, type Revocations } from './revocations.ts';

/** The owner of a valid token, and when the token expires. */
type TokenOwner = CommandAnswer<'token.verify'>;

/**
 * `valid`: a revocation would have been received, or identity was asked just now. `unconfirmed`: a revocation may have
 * been missed. `invalid`: the token is refused or has expired.
 */
type TokenState = 'valid' | 'unconfirmed' | 'invalid';

const MAX_GOOD = 100_000;
const MAX_BAD = 10_000;
const EVICT_AFTER_MS = 3_600_000;
const ATTEMPTS = 3;
const BAD: BearerVerdict = { kind: 'bad' };
const UNKNOWN: BearerVerdict = { kind: 'unknown' };

interface Entry {
  verdict: Extract<BearerVerdict, { kind: 'good' }>;
  /** The language that was last sent to identity. */
  language: Language | undefined;
  /** performance.now() when identity was asked. */
  askedAt: number;
  /** Date.now() at which the token itself expires. */
  expiresAt: number;
}

/** Whether the error is identity's refusal of the token. */
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'unauthenticated';

/** Signs the caller's identity for a service. */
function signing(signer: IdentitySigner, caller: Bearer): (audience: ServiceName) => string {
  const claims: Partial<Record<ServiceName, () => string>> = {};
  return (audience) => (claims[audience] ??= signer.claim(caller, audience))();
}

interface Options {
  identity: InternalClient<'identity'>;
  signer: IdentitySigner;
  revocations: Revocations;
  timings: Timings;
}

/** Identity's verdicts on bearer tokens: cached for 30 s for requests, evicted at once when revoked. */
export function createAuth({ identity, signer, revocations, timings }: Options) {
  const goodVerdicts = new Map<string, Entry>();
  const refusedTokens = new Map<string, number>();
  const tokensOf = new Map<string, Set<string>>();
  const pending = new Map<string, Promise<BearerVerdict>>();
  const breaker = circuitBreaker(
    handleWhen((error) => !isRefusal(error)),
    { halfOpenAfter: timings.breakerOpen, breaker: new ConsecutiveBreaker(3) },
  );
  const tombstones = createTombstones();

  function evict(token: string): void {
    const entry = goodVerdicts.get(token);
    if (!entry) return;
    goodVerdicts.delete(token);
    const { subject } = entry.verdict;
    const siblings = tokensOf.get(subject);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(subject);
  }

  function cacheGood(
    token: string,
    { caller, expires_at, needs_totp }: TokenOwner,
    askedAt: number,
    language = goodVerdicts.get(token)?.language,
  ): BearerVerdict {
    evict(token);
    const oldest = goodVerdicts.size >= MAX_GOOD ? goodVerdicts.keys().next().value : undefined;
    if (oldest !== undefined) evict(oldest);
    const subject = subjectOf(caller);
    const verdict = {
      kind: 'good',
      caller,
      subject,
      needsTotp: needs_totp === true,
      identity: signing(signer, caller),
    } as const;
    goodVerdicts.set(token, {
      verdict,
      language,
      askedAt,
      expiresAt: expires_at === null ? Infinity : Date.parse(expires_at),
    });
    tokensOf.set(subject, (tokensOf.get(subject) ?? new Set()).add(token));
    return verdict;
  }

  function cacheBad(token: string, askedAt: number): BearerVerdict {
    evict(token);
    const oldest = refusedTokens.size >= MAX_BAD ? refusedTokens.keys().next().value : undefined;
    if (oldest !== undefined) refusedTokens.delete(oldest);
    refusedTokens.set(token, askedAt);
    return BAD;
  }

  /** The cached verdict, if it may still be used. */
  function cached(token: string, entry = goodVerdicts.get(token)): BearerVerdict | undefined {
    if (!entry) return parseBearer(token) ? cachedBad(token) : BAD;
    if (entry.expiresAt <= Date.now()) return undefined;
    const ttl = revocations.hasReceivedAllSince(entry.askedAt)
      ? timings.verdict
      : Math.min(timings.verdict, VERDICT_WITHOUT_NATS_MS);
    return performance.now() - entry.askedAt < ttl ? entry.verdict : undefined;
  }

  function cachedBad(token: string): BearerVerdict | undefined {
    const refusedAt = refusedTokens.get(token);
    if (refusedAt === undefined) return undefined;
    if (performance.now() - refusedAt < Math.min(timings.verdict, BAD_VERDICT_MS)) return BAD;
    refusedTokens.delete(token);
    return undefined;
  }

  async function askIdentity(token: string, language: Language): Promise<BearerVerdict> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = performance.now();
      try {
        const holder = await breaker.execute(() => identity.ask('token.verify', { token, language }));
        if (!tombstones.covers(holder.caller, askedAt)) return cacheGood(token, holder, askedAt, language);
      } catch (error) {
        if (isRefusal(error)) return cacheBad(token, askedAt);
        // Identity does not answer: a good verdict remains valid while a revocation would have been received.
        const entry = goodVerdicts.get(token);
        const isValid = entry && entry.expiresAt > Date.now() && revocations.hasReceivedAllSince(entry.askedAt);
        return isValid ? entry.verdict : UNKNOWN;
      }
    }
    return UNKNOWN;
  }

  /** Asks identity about tokens of open streams, at most `TOKENS_AT_ONCE`. Throws when identity does not answer. */
  async function confirm(tokens: string[]): Promise<void> {
    const askedAt = performance.now();
    const { holders } = await breaker.execute(() => identity.ask('token.verify-batch', { tokens }));
    if (holders.length !== tokens.length) throw new Error('identity did not answer about every token');
    for (const [index, token] of tokens.entries()) {
      const holder = holders[index];
      if (!holder) cacheBad(token, askedAt);
      else if (!tombstones.covers(holder.caller, askedAt)) cacheGood(token, holder, askedAt);
    }
  }

  /** The state of the token of an open stream, and the milliseconds since identity was last asked about it. */
  function stateOf(token: string): { state: TokenState; age: number } {
    const entry = goodVerdicts.get(token);
    if (!entry) return { state: refusedTokens.has(token) ? 'invalid' : 'unconfirmed', age: Infinity };
    const age = performance.now() - entry.askedAt;
    if (entry.expiresAt <= Date.now()) return { state: 'invalid', age };
    const isConfirmed = revocations.hasReceivedAllSince(entry.askedAt) || age < timings.streamVerdictUnconfirmed;
    return { state: isConfirmed ? 'valid' : 'unconfirmed', age };
  }

  const sweeper = setInterval(() => {
    tombstones.sweep();
    const longAgo = performance.now() - EVICT_AFTER_MS;
    for (const [token, { askedAt }] of goodVerdicts) if (askedAt < longAgo) evict(token);
  }, 60_000);

  return {
    cached,
    /**
     * Asks identity unless a verdict is cached and identity already knows this language of the token's owner.
     * Concurrent calls share one request.
     */
    verify: (token: string, language: Language): Promise<BearerVerdict> => {
      const entry = goodVerdicts.get(token);
      const verdict = cached(token, entry);
      if (verdict && (verdict.kind !== 'good' || entry?.language === language)) return Promise.resolve(verdict);
      const key = `${language} ${token}`;
      const asked = pending.get(key);
      if (asked) return asked;
      const request = askIdentity(token, language)
        .then((answer) => (verdict && answer.kind === 'unknown' ? verdict : answer))
        .finally(() => pending.delete(key));
      pending.set(key, request);
      return request;
    },
    stateOf,
    confirm,

    /** Evicts revoked verdicts, and keeps requests in flight from caching them again. */
    revoke: (revocation: Revocation): void => {
      tombstones.add(revocation);
      for (const token of [...(tokensOf.get(revocation.subject) ?? [])]) {
        const tokenId = goodVerdicts.get(token)?.verdict.caller.tokenId;
        const isRevoked = revocation.token_ids.length === 0 || revocation.token_ids.includes(tokenId ?? Number.NaN);
        if (isRevoked) evict(token);
      }
    },
    stop: () => clearInterval(sweeper),
  };
}

export type Auth = ReturnType<typeof createAuth>;
