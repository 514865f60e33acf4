import type { IdentitySigner } from '@tutoring/shared/identity/auth';
import { parseBearer } from '@tutoring/shared/identity/bearer';
import type { Language } from '@tutoring/shared/process/language';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { ServiceName } from '@tutoring/shared/process/names';
import { subjectOf, type Bearer, type BearerVerdict } from '../exchange/exchange.ts';
import { BAD_VERDICT_MS, CUT_OFF_VERDICT_MS, type Timings } from '../deadlines.ts';
import type { Link } from './nats-link.ts';
import { createQuestions, type Holder } from './questions.ts';
import { createTombstones, type Revocation } from './revocations.ts';

export interface Auth {
  /** The known verdict, if there is one. */
  known(token: string): BearerVerdict | undefined;
  /**
   * Asks identity unless there is a verdict and identity knows the `language` of the token's owner; one question at a
   * time for each token.
   */
  verify(token: string, language: Language): Promise<BearerVerdict>;
  /** Whether what a token opened may stay open, and how long ago identity was asked, in milliseconds. */
  standing(token: string): { standing: Standing; age: number };
  /** Asks identity about tokens in long use, at most `TOKENS_AT_ONCE`. Throws when there is no answer. */
  confirm(tokens: string[]): Promise<void>;
  /** Forgets revoked verdicts, and stops questions in flight from bringing them back. */
  revoke(revocation: Revocation): void;
  stop(): void;
}

/**
 * `good`: a revocation would have been received, or identity was asked just now. `doubtful`: one may have been missed.
 * `over`: the token is refused or has expired.
 */
export type Standing = 'good' | 'doubtful' | 'over';

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

/** Verdicts on bearer tokens: identity's, cached for 30 s for requests, dropped at once when revoked. */
export function createAuth(options: {
  identity: InternalClient<'identity'>;
  signer: IdentitySigner;
  link: Link;
  timings: Timings;
}): Auth {
  const { identity, signer, link, timings } = options;
  const good = new Map<string, Entry>();
  const bad = new Map<string, number>();
  const tokensOf = new Map<string, Set<string>>();
  const underWay = new Map<string, Promise<BearerVerdict>>();
  const questions = createQuestions(identity);
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
    { askedAt, language }: { askedAt: number; language: Language | undefined },
    { caller, expires_at, needs_totp }: Holder,
  ): BearerVerdict {
    const known = language ?? good.get(token)?.language;
    forget(token);
    const oldest = good.size >= MAX_GOOD ? good.keys().next().value : undefined;
    if (oldest !== undefined) forget(oldest);
    const subject = subjectOf(caller);
    const verdict = {
      kind: 'good',
      caller,
      subject,
      needsTotp: needs_totp === true,
      identity: signing(caller),
    } as const;
    good.set(token, {
      verdict,
      language: known,
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

  /** Revoked since identity was asked. */
  const isOutdated = ({ caller }: Holder, askedAt: number) =>
    tombstones.cover(subjectOf(caller), caller.tokenId, askedAt);

  function known(token: string, entry = good.get(token)): BearerVerdict | undefined {
    if (!entry) return parseBearer(token) ? knownBad(token) : BAD;
    if (entry.expiresAt <= Date.now()) return undefined;
    const life = link.hasHeardSince(entry.askedAt) ? timings.verdict : Math.min(timings.verdict, CUT_OFF_VERDICT_MS);
    return performance.now() - entry.askedAt < life ? entry.verdict : undefined;
  }

  function knownBad(token: string): BearerVerdict | undefined {
    const refusedAt = bad.get(token);
    if (refusedAt === undefined) return undefined;
    if (performance.now() - refusedAt < Math.min(timings.verdict, BAD_VERDICT_MS)) return BAD;
    bad.delete(token);
    return undefined;
  }

  /** Identity is away: a good verdict stays good as long as a revocation would have been received. */
  function whileIdentityIsAway(token: string): BearerVerdict {
    const entry = good.get(token);
    const holds = entry && entry.expiresAt > Date.now() && link.hasHeardSince(entry.askedAt);
    return holds ? entry.verdict : UNKNOWN;
  }

  async function ask(token: string, language: Language): Promise<BearerVerdict> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = performance.now();
      try {
        const holder = await questions.ask(token, language);
        if (!holder) return rememberBad(token, askedAt);
        if (!isOutdated(holder, askedAt)) return remember(token, { askedAt, language }, holder);
      } catch {
        return whileIdentityIsAway(token);
      }
    }
    return UNKNOWN;
  }

  async function confirm(tokens: string[]): Promise<void> {
    const askedAt = performance.now();
    const holders = await questions.askMany(tokens);
    for (const [index, token] of tokens.entries()) {
      const holder = holders[index];
      if (!holder) rememberBad(token, askedAt);
      else if (!isOutdated(holder, askedAt)) remember(token, { askedAt, language: undefined }, holder);
    }
  }

  function standing(token: string): { standing: Standing; age: number } {
    const entry = good.get(token);
    if (!entry) return { standing: bad.has(token) ? 'over' : 'doubtful', age: Infinity };
    const age = performance.now() - entry.askedAt;
    if (entry.expiresAt <= Date.now()) return { standing: 'over', age };
    return { standing: link.hasHeardSince(entry.askedAt) || age < timings.streamUnheard ? 'good' : 'doubtful', age };
  }

  const sweeper = setInterval(() => {
    tombstones.sweep();
    const longAgo = performance.now() - FORGET_AFTER_MS;
    for (const [token, { askedAt }] of good) if (askedAt < longAgo) forget(token);
  }, 60_000);

  return {
    known,
    verify: (token, language) => {
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
