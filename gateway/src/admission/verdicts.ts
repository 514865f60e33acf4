import { circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import { AppError } from '@tutoring/shared/errors';
import type { IdentitySigner } from '@tutoring/shared/identity/auth';
import { parseBearer } from '@tutoring/shared/identity/bearer';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Language } from '@tutoring/shared/process/language';
import type { ServiceName } from '@tutoring/shared/process/names';
import { subjectOf, type Bearer, type BearerVerdict } from '../exchange/exchange.ts';
import { BAD_VERDICT_MS, CUT_OFF_VERDICT_MS, type Timings } from '../deadlines.ts';
import { createTombstones, type Revocation, type Revocations } from './revocations.ts';

/** Who holds a good token, and until when it is good. */
type Holder = CommandAnswer<'token.verify'>;

/**
 * `good`: a revocation would have been received, or identity was asked just now. `doubtful`: one may have been missed.
 * `over`: the token is refused or has expired.
 */
type Standing = 'good' | 'doubtful' | 'over';

const MAX_GOOD = 100_000;
const MAX_BAD = 10_000;
const FORGET_AFTER_MS = 3_600_000;
const ATTEMPTS = 3;
const BAD: BearerVerdict = { kind: 'bad' };
const UNKNOWN: BearerVerdict = { kind: 'unknown' };

interface Entry {
  verdict: Extract<BearerVerdict, { kind: 'good' }>;
  /** The language that identity was sent last. */
  language: Language | undefined;
  /** performance.now() when identity was asked. */
  askedAt: number;
  /** Date.now() at which the token itself expires. */
  expiresAt: number;
}

/** Identity's answer that a token is not good. */
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'unauthenticated';

/** The caller's signed identity for each service. */
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

/** Verdicts on bearer tokens: identity's, cached for 30 s for requests, dropped at once when revoked. */
export function createAuth({ identity, signer, revocations, timings }: Options) {
  const good = new Map<string, Entry>();
  const bad = new Map<string, number>();
  const tokensOf = new Map<string, Set<string>>();
  const underWay = new Map<string, Promise<BearerVerdict>>();
  const breaker = circuitBreaker(
    handleWhen((error) => !isRefusal(error)),
    { halfOpenAfter: timings.breakerOpen, breaker: new ConsecutiveBreaker(3) },
  );
  const tombstones = createTombstones();

  function forget(token: string): void {
    const entry = good.get(token);
    if (!entry) return;
    good.delete(token);
    const { subject } = entry.verdict;
    const siblings = tokensOf.get(subject);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(subject);
  }

  function remember(
    token: string,
    { caller, expires_at, needs_totp }: Holder,
    askedAt: number,
    language = good.get(token)?.language,
  ): BearerVerdict {
    forget(token);
    const oldest = good.size >= MAX_GOOD ? good.keys().next().value : undefined;
    if (oldest !== undefined) forget(oldest);
    const subject = subjectOf(caller);
    const verdict = {
      kind: 'good',
      caller,
      subject,
      needsTotp: needs_totp === true,
      identity: signing(signer, caller),
    } as const;
    good.set(token, {
      verdict,
      language,
      askedAt,
      expiresAt: expires_at === null ? Infinity : Date.parse(expires_at),
    });
    tokensOf.set(subject, (tokensOf.get(subject) ?? new Set()).add(token));
    return verdict;
  }

  function rememberBad(token: string, askedAt: number): BearerVerdict {
    forget(token);
    const oldest = bad.size >= MAX_BAD ? bad.keys().next().value : undefined;
    if (oldest !== undefined) bad.delete(oldest);
    bad.set(token, askedAt);
    return BAD;
  }

  /** The known verdict, if there is one. */
  function known(token: string, entry = good.get(token)): BearerVerdict | undefined {
    if (!entry) return parseBearer(token) ? knownBad(token) : BAD;
    if (entry.expiresAt <= Date.now()) return undefined;
    const life = revocations.hasHeardSince(entry.askedAt)
      ? timings.verdict
      : Math.min(timings.verdict, CUT_OFF_VERDICT_MS);
    return performance.now() - entry.askedAt < life ? entry.verdict : undefined;
  }

  function knownBad(token: string): BearerVerdict | undefined {
    const refusedAt = bad.get(token);
    if (refusedAt === undefined) return undefined;
    if (performance.now() - refusedAt < Math.min(timings.verdict, BAD_VERDICT_MS)) return BAD;
    bad.delete(token);
    return undefined;
  }

  async function ask(token: string, language: Language): Promise<BearerVerdict> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = performance.now();
      try {
        const holder = await breaker.execute(() => identity.ask('token.verify', { token, language }));
        if (!tombstones.cover(holder.caller, askedAt)) return remember(token, holder, askedAt, language);
      } catch (error) {
        if (isRefusal(error)) return rememberBad(token, askedAt);
        // Identity is away: a good verdict stays good as long as a revocation would have been received.
        const entry = good.get(token);
        const holds = entry && entry.expiresAt > Date.now() && revocations.hasHeardSince(entry.askedAt);
        return holds ? entry.verdict : UNKNOWN;
      }
    }
    return UNKNOWN;
  }

  /** Asks identity about tokens in long use, at most `TOKENS_AT_ONCE`. Throws when there is no answer. */
  async function confirm(tokens: string[]): Promise<void> {
    const askedAt = performance.now();
    const { holders } = await breaker.execute(() => identity.ask('token.verify-batch', { tokens }));
    if (holders.length !== tokens.length) throw new Error('identity did not answer about every token');
    for (const [index, token] of tokens.entries()) {
      const holder = holders[index];
      if (!holder) rememberBad(token, askedAt);
      else if (!tombstones.cover(holder.caller, askedAt)) remember(token, holder, askedAt);
    }
  }

  /** Whether what a token opened may stay open, and how long ago identity was asked, in milliseconds. */
  function standing(token: string): { standing: Standing; age: number } {
    const entry = good.get(token);
    if (!entry) return { standing: bad.has(token) ? 'over' : 'doubtful', age: Infinity };
    const age = performance.now() - entry.askedAt;
    if (entry.expiresAt <= Date.now()) return { standing: 'over', age };
    const isSound = revocations.hasHeardSince(entry.askedAt) || age < timings.streamUnheard;
    return { standing: isSound ? 'good' : 'doubtful', age };
  }

  const sweeper = setInterval(() => {
    tombstones.sweep();
    const longAgo = performance.now() - FORGET_AFTER_MS;
    for (const [token, { askedAt }] of good) if (askedAt < longAgo) forget(token);
  }, 60_000);

  return {
    known,
    /**
     * Asks identity unless there is a verdict and identity knows the `language` of the token's owner; one question at a
     * time for each token.
     */
    verify: (token: string, language: Language): Promise<BearerVerdict> => {
      const entry = good.get(token);
      const verdict = known(token, entry);
      if (verdict && (verdict.kind !== 'good' || entry?.language === language)) return Promise.resolve(verdict);
      const key = `${language} ${token}`;
      const asked = underWay.get(key);
      if (asked) return asked;
      const question = ask(token, language)
        .then((answer) => (verdict && answer.kind === 'unknown' ? verdict : answer))
        .finally(() => underWay.delete(key));
      underWay.set(key, question);
      return question;
    },
    standing,
    confirm,

    /** Forgets revoked verdicts, and stops questions in flight from bringing them back. */
    revoke: (revocation: Revocation): void => {
      tombstones.add(revocation);
      for (const token of [...(tokensOf.get(revocation.subject) ?? [])]) {
        const tokenId = good.get(token)?.verdict.caller.tokenId;
        const isMeant = revocation.token_ids.length === 0 || revocation.token_ids.includes(tokenId ?? Number.NaN);
        if (isMeant) forget(token);
      }
    },
    stop: () => clearInterval(sweeper),
  };
}

export type Auth = ReturnType<typeof createAuth>;
