import { createHmac, createPublicKey, sign, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import { ConfigError, type InternalKey, type ProcessConfig } from '../process/config.ts';
import { IDENTITY_MS, LEEWAY_MS, RESIGN_AFTER_MS } from '../process/deadlines.ts';
import type { ProcessName, ServiceName } from '../process/names.ts';

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
const MAX_VERIFIED = 5_000;

/**
 * Why an identity was refused: no trusted process signed it, the signer's clock differs too much, or it was signed for
 * another service or in a name that the signer may not use.
 */
export type IdentityRefusal = 'signature' | 'clock' | 'claim';

export interface SignerOptions {
  /** The wall clock in milliseconds. */
  now?: () => number;
  /** Called once for every identity with a right signature, with its age in milliseconds by the two clocks. */
  onAge?: (ageMs: number) => void;
  onRefusal?: (reason: IdentityRefusal) => void;
}

const callerSchema: z.ZodType<Caller> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('anonymous') }),
  z.object({ kind: z.literal('user'), id: z.int(), platform: z.enum(['student', 'teacher']), tokenId: z.int() }),
  z.object({ kind: z.literal('admin'), id: z.int(), name: z.string(), level: z.string(), tokenId: z.int() }),
  z.object({ kind: z.literal('service'), name: z.string() }),
]);
const claimsSchema = z.object({ caller: callerSchema, exp: z.number(), aud: z.string().optional() });
type Claims = z.infer<typeof claimsSchema>;

/** Only the gateway may speak for people; every process may speak for itself. */
const maySpeakFor = (signer: string, caller: Caller) =>
  caller.kind === 'service' ? caller.name === signer : signer === 'gateway';

const encoded = (claims: Claims) => Buffer.from(JSON.stringify(claims)).toString('base64url');

function decoded(payload: string): Claims | undefined {
  try {
    return claimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

/** Identities of releases that shared one key, `kid.payload.mac`: every holder of the key may claim any name. */
function createFormer(keys: InternalKey[]) {
  const mac = ({ secret }: InternalKey, payload: string) => createHmac('sha256', secret).update(payload).digest();
  const [current] = keys;
  return {
    /** The prefix of a signed identity; empty for a process without a key. */
    sign(claims: Claims): string {
      if (!current) return '';
      const payload = encoded(claims);
      return `${current.kid}.${payload}.${mac(current, payload).toString('base64url')}.`;
    },
    read([kid, payload = '', signature = '']: string[]): Claims | undefined {
      const key = keys.find((candidate) => candidate.kid === kid);
      const given = Buffer.from(signature, 'base64url');
      const expected = key && mac(key, payload);
      return expected?.length === given.length && timingSafeEqual(given, expected) ? decoded(payload) : undefined;
    },
  };
}

export const STILL_SHARED = 'INTERNAL_KEYS is set: whoever has it is believed to be anybody; drop it after the upgrade';

export type IdentityKeys = Pick<ProcessConfig, 'SIGNING_KEY' | 'TRUSTED_KEYS' | 'INTERNAL_KEYS'>;

/**
 * Signs the identities that this process claims towards others, and verifies those that others claim towards it:
 * `signer.kid.payload.signature`, for one audience, valid for 30 seconds if the clocks differ by at most three minutes.
 * Throws ConfigError when no process would trust this process's own key.
 */
export function createIdentitySigner(name: ProcessName, keys: IdentityKeys, options: SignerOptions = {}) {
  const { now: clock = Date.now, onAge, onRefusal } = options;
  const { SIGNING_KEY: own, TRUSTED_KEYS: trusted } = keys;
  const keyOf = (signer?: string, kid?: string) =>
    trusted.find((candidate) => candidate.name === signer && candidate.kid === kid)?.key;
  if (!keyOf(name, own.kid)?.equals(createPublicKey(own.key)))
    throw new ConfigError(`SIGNING_KEY: TRUSTED_KEYS does not have its public key as ${name}:${own.kid}`);
  const former = createFormer(keys.INTERNAL_KEYS ?? []);

  // A caller uses one token for several requests.
  const verified = new Map<string, Claims>();
  const age = ({ exp }: Claims, now: number) => now - (exp - IDENTITY_MS);

  function readSigned(token: string): Claims | IdentityRefusal {
    const [signer = '', kid, payload = '', signature = ''] = token.split('.');
    const key = keyOf(signer, kid);
    const text = token.slice(0, token.lastIndexOf('.'));
    if (!key || !verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))) return 'signature';
    const claims = decoded(payload);
    return claims?.aud === name && maySpeakFor(signer, claims.caller) ? claims : 'claim';
  }

  function read(token: string): Claims | IdentityRefusal {
    const parts = token.split('.');
    if (parts.length === 3) return former.read(parts) ?? 'signature';
    // The parts before the last four are for replicas of the previous release.
    return parts.length === 4 || parts.length === 7 ? readSigned(parts.slice(-4).join('.')) : 'signature';
  }

  function signed(caller: Caller, audience: ServiceName, now: number): string {
    const claims = { caller, exp: now + IDENTITY_MS };
    const text = `${name}.${own.kid}.${encoded({ ...claims, aud: audience })}`;
    // The previous release reads three parts and ignores the rest.
    return `${former.sign(claims)}${text}.${sign(null, Buffer.from(text), own.key).toString('base64url')}`;
  }

  return {
    sign: (caller: Caller, audience: ServiceName): string => signed(caller, audience, clock()),

    /** The identity of one caller towards one service, signed again every five seconds. */
    claim(caller: Caller, audience: ServiceName): () => string {
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
     * Returns the caller, or undefined when the token is missing, forged, signed with an unknown key, for another
     * audience, in a name that its signer may not use, too old, or too far in the future. A refusal says nothing about
     * the person: it is between two processes.
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
      if (ageMs > -LEEWAY_MS && ageMs < IDENTITY_MS + LEEWAY_MS) return found.caller;
      onRefusal?.('clock');
      return undefined;
    },
  };
}

export type IdentitySigner = ReturnType<typeof createIdentitySigner>;
