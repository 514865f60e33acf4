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
const MAX_VERIFIED = 5_000;

const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

/** Signs and verifies the identity that one process of the system claims towards another; lives 30 seconds. */
export function createIdentitySigner(keys: InternalKey[]) {
  const [current] = keys;
  if (!current) throw new Error('at least one internal key is needed');

  interface Verified {
    caller: Caller;
    exp: number;
  }
  // Whoever calls uses one token for several requests.
  const verified = new Map<string, Verified>();

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
    sign(caller: Caller, now = Date.now()): string {
      const payload = Buffer.from(JSON.stringify({ caller, exp: now + LIFETIME_MS })).toString('base64url');
      return `${current.kid}.${payload}.${mac(current.secret, payload).toString('base64url')}`;
    },

    /** Answers the caller, or undefined when the token is missing, forged, expired or of an unknown key. */
    verify(token: string | undefined, now = Date.now()): Caller | undefined {
      if (token === undefined) return undefined;
      let found = verified.get(token);
      if (!found) {
        found = read(token);
        if (!found) return undefined;
        if (verified.size >= MAX_VERIFIED) verified.clear();
        verified.set(token, found);
      }
      return found.exp > now ? found.caller : undefined;
    },
  };
}

export type IdentitySigner = ReturnType<typeof createIdentitySigner>;
