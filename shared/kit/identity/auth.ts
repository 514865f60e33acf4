import {
  createHmac,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { Counter } from 'prom-client';
import { z } from 'zod';
import { ConfigError, type ProcessConfig } from '../process/config.ts';
import { IDENTITY_MS, LEEWAY_MS, RESIGN_AFTER_MS, RUN_MS } from '../process/deadlines.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';

const anonymous = z.object({ kind: z.literal('anonymous') });
/** `tokenId`: id of the bearer token in use. */
export const userCaller = z.object({
  kind: z.literal('user'),
  id: z.int(),
  platform: z.enum(['student', 'teacher']),
  tokenId: z.int(),
});
export const adminCaller = z.object({
  kind: z.literal('admin'),
  id: z.int(),
  name: z.string(),
  level: z.string(),
  tokenId: z.int(),
});
const serviceCaller = z.object({ kind: z.literal('service'), name: z.string() });
const anyCaller = z.discriminatedUnion('kind', [anonymous, userCaller, adminCaller, serviceCaller]);

export type UserCaller = z.infer<typeof userCaller>;
export type AdminCaller = z.infer<typeof adminCaller>;
export type ServiceCaller = z.infer<typeof serviceCaller>;
/** The caller of a request, as proven by the signed `x-identity` header. */
export type Caller = z.infer<typeof anyCaller>;

export const IDENTITY_HEADER = 'x-identity';
const MAX_VERIFIED = 5_000;
const MAC_BYTES = 32;

/** Log lines for refused identities, by reason. */
const REFUSED = {
  signature: 'an identity was refused: no trusted key has signed it; check TRUSTED_KEYS',
  claim: 'an identity was refused: it is for another service, or its signer may not act for this caller',
  clock: 'an identity was refused: the clocks of two machines differ too much; synchronize them',
  age: 'an identity was refused: it is older than 30 seconds; a process hangs, or captured requests are replayed',
};
type IdentityRefusal = keyof typeof REFUSED;

export interface SignerOptions {
  /** The wall clock in milliseconds. */
  now?: () => number;
  /** A monotonic clock in milliseconds. */
  uptime?: () => number;
  /** Called for each new identity with a valid signature, with its age by the wall clocks of both machines. */
  onAge?: (ageMs: number) => void;
  onRefusal?: (reason: IdentityRefusal) => void;
}

/** `run`: id of an interval in which the signer's clock was not set; older releases do not send it. */
const claimsSchema = z.object({ caller: anyCaller, exp: z.number(), aud: z.string(), run: z.string().optional() });
type Claims = z.infer<typeof claimsSchema>;

/** Only the gateway may act for users and administrators; every process may act for itself. */
const mayActFor = (signer: string, caller: Caller) =>
  caller.kind === 'service' ? caller.name === signer : signer === 'gateway';

const MAX_RUNS = 1_000;
/** A change of the wall clock against the monotonic clock that is no drift: the wall clock was set. */
const CLOCK_SET_MS = 1_000;

/**
 * Returns the current run id of this process. It changes when the wall clock is set, and every few minutes, so that the
 * drift of a clock that is being corrected does not add up.
 */
function createRunId(now: () => number, uptime: () => number): () => string {
  let run = { name: '', begun: -Infinity, ahead: 0 };
  return () => {
    const ahead = now() - uptime();
    const isOver = uptime() - run.begun > RUN_MS || Math.abs(ahead - run.ahead) > CLOCK_SET_MS;
    if (isOver) run = { name: randomBytes(6).toString('base64url'), begun: uptime(), ahead };
    return run.name;
  };
}

/**
 * Measures the age of identities independently of clock differences: the smallest distance between expiry and arrival
 * in a run shows how far the signer's clock is from this one. The first identity of a run has age 0.
 */
function createAges(uptime: () => number) {
  const smallest = new Map<string, number>();
  return ({ run, exp }: Claims): number => {
    if (run === undefined) return 0;
    const distance = uptime() - exp;
    const least = smallest.get(run);
    if (least !== undefined && least <= distance) return distance - least;
    smallest.set(run, distance);
    const oldest = smallest.size > MAX_RUNS ? smallest.keys().next().value : undefined;
    if (oldest !== undefined) smallest.delete(oldest);
    return 0;
  };
}

const encoded = (claims: Claims) => Buffer.from(JSON.stringify(claims)).toString('base64url');

function decoded(payload: string): Claims | undefined {
  try {
    return claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

export type IdentityKeys = Pick<ProcessConfig, 'SIGNING_KEY' | 'TRUSTED_KEYS'>;

/**
 * The secrets that this process shares with each trusted public key (X25519). Only the two processes can compute one.
 */
export function pairKeys({ SIGNING_KEY: { key: privateKey }, TRUSTED_KEYS }: IdentityKeys) {
  return TRUSTED_KEYS.map(({ name, kid, key: publicKey }) => {
    const secret = diffieHellman({ privateKey, publicKey });
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'tutoring identity', MAC_BYTES));
    return { name, kid, key: createSecretKey(bytes) };
  });
}

export const macOf = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest();

function isMac(given: string, key: KeyObject, text: string): boolean {
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === MAC_BYTES && timingSafeEqual(bytes, macOf(key, text));
}

/**
 * Signs identities towards other processes and verifies theirs. A token is `signer.kid.payload`, followed by `.kid.mac`
 * for each key of the audience (two while it rotates). It is for one audience and valid for 30 seconds; clocks may
 * differ by three minutes. Throws ConfigError when TRUSTED_KEYS lacks this process's own public key.
 */
export function createIdentitySigner(name: string, keys: IdentityKeys, options: SignerOptions = {}) {
  const { now: clock = Date.now, uptime = () => performance.now(), onAge, onRefusal } = options;
  const { SIGNING_KEY: own, TRUSTED_KEYS: trusted } = keys;
  const self = trusted.find((candidate) => candidate.name === name && candidate.kid === own.kid);
  if (!self?.key.equals(createPublicKey(own.key)))
    throw new ConfigError(`SIGNING_KEY: TRUSTED_KEYS does not have its public key as ${name}:${own.kid}`);
  // Run ids are kept per key, so that one signer cannot evict those of another.
  const pairs = pairKeys(keys).map((pair) => ({ ...pair, ageOf: createAges(uptime) }));
  const run = createRunId(clock, uptime);

  // Verified tokens are cached, because a caller uses a token for several requests.
  const verified = new Map<string, Claims & { sinceSigned(): number }>();
  const age = ({ exp }: Claims, now: number) => now - (exp - IDENTITY_MS);

  function read(token: string): (Claims & { sinceSigned(): number }) | IdentityRefusal {
    const [signer = '', kid = '', payload = '', ...macs] = token.split('.');
    const pair = pairs.find((candidate) => candidate.name === signer && candidate.kid === kid);
    const mac = macs.find((_mac, at) => at % 2 === 1 && macs[at - 1] === own.kid);
    if (!pair || mac === undefined || !isMac(mac, pair.key, `${signer}.${kid}.${payload}`)) return 'signature';
    const claims = decoded(payload);
    if (claims?.aud !== name || !mayActFor(signer, claims.caller)) return 'claim';
    return { ...claims, sinceSigned: () => pair.ageOf(claims) };
  }

  function signed(caller: Caller, audience: string, now: number): string {
    const text = `${name}.${own.kid}.${encoded({ caller, exp: now + IDENTITY_MS, aud: audience, run: run() })}`;
    const macs = pairs
      .filter((pair) => pair.name === audience)
      .map(({ kid, key }) => `.${kid}.${macOf(key, text).toString('base64url')}`);
    return text + macs.join('');
  }

  return {
    sign: (caller: Caller, audience: string): string => signed(caller, audience, clock()),

    /**
     * Returns a function that returns a token of this caller for this service; it is signed again every five seconds.
     */
    claim(caller: Caller, audience: string): () => string {
      let token = '';
      let signedAt = -Infinity;
      return () => {
        const now = clock();
        if (Math.abs(now - signedAt) > RESIGN_AFTER_MS) {
          token = signed(caller, audience, now);
          signedAt = now;
        }
        return token;
      };
    },

    /**
     * Returns the caller; undefined when the token is missing, forged, signed with an unknown key, for another
     * audience, for a caller whom the signer may not act for, expired, or too far in the future. A refusal concerns the
     * calling process, not the user.
     */
    verify(token: string | undefined): Caller | undefined {
      if (token === undefined) return undefined;
      const now = clock();
      let found = verified.get(token);
      if (!found) {
        const claims = read(token);
        if (typeof claims === 'string') {
          onRefusal?.(claims);
          return undefined;
        }
        found = claims;
        if (verified.size >= MAX_VERIFIED) verified.clear();
        verified.set(token, found);
        onAge?.(age(found, now));
      }
      const ageMs = age(found, now);
      const isNear = ageMs > -LEEWAY_MS && ageMs < IDENTITY_MS + LEEWAY_MS;
      if (isNear && found.sinceSigned() < IDENTITY_MS) return found.caller;
      onRefusal?.(isNear ? 'age' : 'clock');
      return undefined;
    },
  };
}

export type IdentitySigner = ReturnType<typeof createIdentitySigner>;

/** An identity is used for five seconds only: one that is much older, or from the future, shows a clock difference. */
const NOTABLE_AGE_MS = 15_000;
const WATCHED_MS = 60_000;

/** Reports clock differences and refused identities as metrics, and as at most one log line of each kind per minute. */
export function watchIdentities(metrics: Metrics, logger: Logger): SignerOptions {
  let furthest = { ageMs: 0, at: -Infinity };
  const lastLines = new Map<string, number>();
  metrics.watch(
    'clock_skew_seconds',
    'Age of an identity when it arrives, the furthest from zero of the last minute: beyond 5 s two clocks differ',
    () => (performance.now() - furthest.at < WATCHED_MS ? furthest.ageMs / 1_000 : 0),
  );
  const refused = new Counter({
    name: 'identities_refused_total',
    help: 'Identities of other processes that were refused, by reason',
    labelNames: ['reason'] as const,
    registers: [metrics.registry],
  });
  for (const reason of Object.keys(REFUSED)) refused.inc({ reason }, 0);

  function warn(message: string): void {
    const now = performance.now();
    if (now - (lastLines.get(message) ?? -Infinity) < WATCHED_MS) return;
    lastLines.set(message, now);
    logger.warn({ skew_seconds: Math.round(furthest.ageMs / 1_000) }, message);
  }

  return {
    onAge: (ageMs) => {
      const now = performance.now();
      if (Math.abs(ageMs) >= Math.abs(furthest.ageMs) || now - furthest.at >= WATCHED_MS) furthest = { ageMs, at: now };
      if (Math.abs(ageMs) > NOTABLE_AGE_MS) warn('the clocks of two machines differ: synchronize them');
    },
    onRefusal: (reason) => {
      refused.inc({ reason });
      warn(REFUSED[reason]);
    },
  };
}
