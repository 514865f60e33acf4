import { circuitBreaker, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { IdentitySigner } from '@tutoring/shared/auth';
import { parseBearer } from '@tutoring/shared/bearer';
import { AppError } from '@tutoring/shared/errors';
import type { Language } from '@tutoring/shared/language';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { ServiceName } from '@tutoring/shared/process-names';
import { subjectOf, type Bearer, type BearerVerdict } from '../exchange/caller.ts';
import { BAD_VERDICT_MS, CUT_OFF_VERDICT_MS, timings } from '../deadlines.ts';
import type { Link } from './nats-link.ts';
import { createTombstones, type Revocation } from './revocations.ts';

export interface Auth {
  /** The known verdict, if there is one. */
  known(token: string): BearerVerdict | undefined;
  /**
   * Asks identity unless there is a verdict at most `maxAgeMs` old and identity knows the `language` of the token's
   * owner; one question at a time for each token.
   */
  verify(token: string, options?: { maxAgeMs?: number; language?: Language }): Promise<BearerVerdict>;
  /** Forgets revoked verdicts, and stops questions in flight from bringing them back. */
  revoke(revocation: Revocation): void;
  stop(): void;
}

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

/** Verdicts on bearer tokens: identity's, cached for 30 s, dropped at once when revoked. */
export function createAuth(options: {
  identity: InternalClient<'identity'>;
  signer: IdentitySigner;
  link: Link;
  goodForMs: number;
}): Auth {
  const { identity, signer, link, goodForMs } = options;
  const good = new Map<string, Entry>();
  const bad = new Map<string, number>();
  const tokensOf = new Map<string, Set<string>>();
  const questions = new Map<string, Promise<BearerVerdict>>();
  const tombstones = createTombstones();
  const breaker = circuitBreaker(
    handleWhen((error) => !isRefusal(error)),
    { halfOpenAfter: timings.breakerOpen, breaker: new ConsecutiveBreaker(3) },
  );

  function forget(token: string): void {
    const entry = good.get(token);
    if (!entry) return;
    good.delete(token);
    const subject = subjectOf(entry.verdict.caller);
    const siblings = tokensOf.get(subject);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(subject);
  }

  function remember(
    token: string,
    { askedAt, language }: { askedAt: number; language: Language | undefined },
    { caller, expires_at, needs_totp }: CommandAnswer<'token.verify'>,
  ): BearerVerdict {
    const told = language ?? good.get(token)?.language;
    forget(token);
    const oldest = good.size >= MAX_GOOD ? good.keys().next().value : undefined;
    if (oldest !== undefined) forget(oldest);
    const subject = subjectOf(caller);
    const verdict = { kind: 'good', caller, needsTotp: needs_totp === true, identity: signing(caller) } as const;
    good.set(token, {
      verdict,
      language: told,
      askedAt,
      expiresAt: expires_at === null ? Infinity : Date.parse(expires_at),
    });
    const siblings = tokensOf.get(subject);
    if (siblings) siblings.add(token);
    else tokensOf.set(subject, new Set([token]));
    return verdict;
  }

  function rememberBad(token: string, askedAt: number): BearerVerdict {
    forget(token);
    const oldest = bad.size >= MAX_BAD ? bad.keys().next().value : undefined;
    if (oldest !== undefined) bad.delete(oldest);
    bad.set(token, askedAt);
    return BAD;
  }

  /** The caller's signed identity for each service. */
  function signing(caller: Bearer): (audience: ServiceName) => string {
    const claims: Partial<Record<ServiceName, () => string>> = {};
    return (audience) => (claims[audience] ??= signer.claim(caller, audience))();
  }

  function known(token: string, maxAgeMs = goodForMs): BearerVerdict | undefined {
    const entry = good.get(token);
    if (!entry) return parseBearer(token) ? knownBad(token, maxAgeMs) : BAD;
    if (entry.expiresAt <= Date.now()) return undefined;
    const life = link.hasHeardSince(entry.askedAt) ? maxAgeMs : Math.min(maxAgeMs, CUT_OFF_VERDICT_MS);
    return performance.now() - entry.askedAt < life ? entry.verdict : undefined;
  }

  function knownBad(token: string, maxAgeMs: number): BearerVerdict | undefined {
    const refusedAt = bad.get(token);
    if (refusedAt === undefined) return undefined;
    if (performance.now() - refusedAt < Math.min(maxAgeMs, BAD_VERDICT_MS)) return BAD;
    bad.delete(token);
    return undefined;
  }

  /** Identity is away: a good verdict stays good as long as a revocation would have been received. */
  function whileIdentityIsAway(token: string): BearerVerdict {
    const entry = good.get(token);
    const holds = entry && entry.expiresAt > Date.now() && link.hasHeardSince(entry.askedAt);
    return holds ? entry.verdict : UNKNOWN;
  }

  async function ask(token: string, language: Language | undefined): Promise<BearerVerdict> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = performance.now();
      try {
        const verified = await breaker.execute(() => identity.ask('token.verify', { token, language }));
        const { caller } = verified;
        if (!tombstones.cover(subjectOf(caller), caller.tokenId, askedAt))
          return remember(token, { askedAt, language }, verified);
      } catch (error) {
        return isRefusal(error) ? rememberBad(token, askedAt) : whileIdentityIsAway(token);
      }
    }
    return UNKNOWN;
  }

  const sweeper = setInterval(() => {
    tombstones.sweep();
    const longAgo = performance.now() - FORGET_AFTER_MS;
    for (const [token, { askedAt }] of good) if (askedAt < longAgo) forget(token);
  }, 60_000);

  return {
    known,
    verify: (token, { maxAgeMs, language } = {}) => {
      const verdict = known(token, maxAgeMs);
      const isNews = verdict?.kind === 'good' && language !== undefined && good.get(token)?.language !== language;
      if (verdict && !isNews) return Promise.resolve(verdict);
      const key = `${language ?? ''} ${token}`;
      const underWay = questions.get(key);
      if (underWay) return underWay;
      const question = ask(token, language)
        .then((answer) => (verdict && answer.kind === 'unknown' ? verdict : answer))
        .finally(() => questions.delete(key));
      questions.set(key, question);
      return question;
    },
    revoke: (revocation) => {
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

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'unauthenticated';
