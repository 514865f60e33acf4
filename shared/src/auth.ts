import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InternalKey } from './config.ts';

export interface Anonymous {
  kind: 'anonymous';
}
export interface UserCaller {
  kind: 'user';
  id: number;
  platform: 'student' | 'teacher';
  /** Id of the bearer token in use. */
  tokenId: number;
}
export interface AdminCaller {
  kind: 'admin';
  id: number;
  name: string;
  level: string;
  tokenId: number;
}
export interface ServiceCaller {
  kind: 'service';
  name: string;
}
/** Who makes a request, as proven by the signed `x-identity` header. */
export type Caller = Anonymous | UserCaller | AdminCaller | ServiceCaller;

export const IDENTITY_HEADER = 'x-identity';
const LIFETIME_MS = 30_000;
/** How far the clocks of two machines may differ before one refuses what the other signs. */
const LEEWAY_MS = 180_000;
const MAX_VERIFIED = 5_000;

/** Why an identity was refused: nobody of this system signed it, or the clock of who did is too far away. */
export type IdentityRefusal = 'signature' | 'clock';

export interface SignerOptions {
  /** The wall clock in milliseconds. */
  now?: () => number;
  /** Told once of every identity with a right signature: how long ago it was signed, as the two clocks say. */
  onAge?: (ageMs: number) => void;
  onRefusal?: (reason: IdentityRefusal) => void;
}

const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

/**
 * Signs and verifies the identity that one process of the system claims towards another; lives 30 seconds, by clocks
 * that differ by at most three minutes.
 */
export function createIdentitySigner(keys: InternalKey[], options: SignerOptions = {}) {
  const { now: clock = Date.now, onAge, onRefusal } = options;
  const [current] = keys;
  if (!current) throw new Error('at least one internal key is needed');

  interface Verified {
    caller: Caller;
    exp: number;
  }
  // Whoever calls uses one token for several requests.
  const verified = new Map<string, Verified>();
  const age = ({ exp }: Verified, now: number) => now - (exp - LIFETIME_MS);

  function read(token: string): Verified | undefined {
    const [kid, payload, signature] = token.split('.');
    const key = keys.find((candidate) => candidate.kid === kid);
    if (!key || !payload || !signature) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const expected = mac(key.secret, payload);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Verified;
  }

  return {
    sign(caller: Caller, now = clock()): string {
      const payload = Buffer.from(JSON.stringify({ caller, exp: now + LIFETIME_MS })).toString('base64url');
      return `${current.kid}.${payload}.${mac(current.secret, payload).toString('base64url')}`;
    },

    /**
     * Answers the caller, or undefined when the token is missing, forged, of an unknown key, or signed too long ago or too
     * far in the future. A refusal says nothing about the person: it is between two processes.
     */
    verify(token: string | undefined, now = clock()): Caller | undefined {
      if (token === undefined) return undefined;
      let found = verified.get(token);
      if (!found) {
        found = read(token);
        if (!found) {
          onRefusal?.('signature');
          return undefined;
        }
        if (verified.size >= MAX_VERIFIED) verified.clear();
        verified.set(token, found);
        onAge?.(age(found, now));
      }
      const ageMs = age(found, now);
      if (ageMs > -LEEWAY_MS && ageMs < LIFETIME_MS + LEEWAY_MS) return found.caller;
      onRefusal?.('clock');
      return undefined;
    },
  };
}

export type IdentitySigner = ReturnType<typeof createIdentitySigner>;
