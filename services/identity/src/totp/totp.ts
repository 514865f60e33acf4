import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import type { InternalKey } from '@tutoring/shared/config';
import { texts } from '../texts.ts';

const STEP_MS = 30_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const RECOVERY_CODES = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A secret as it is stored. */
export interface Sealed {
  key_id: string;
  /** Initialisation vector, ciphertext, tag. */
  sealed: Buffer;
}

/** Secrets at rest: AES-256-GCM, bound to their administrator. The first key seals, all of them open. */
export function createSeal(keys: InternalKey[]) {
  const derived = new Map(
    keys.map(({ kid, secret }) => [kid, Buffer.from(hkdfSync('sha256', secret, '', 'secrets of second factors', 32))]),
  );
  const bound = (adminId: number) => Buffer.from(`admin:${adminId}`);

  return {
    /** By which key secrets are sealed. */
    keyId: keys[0]?.kid,

    seal(adminId: number, secret: string): Sealed {
      const [first] = derived;
      if (!first) throw new Error('there is no key for the secrets of second factors');
      const [keyId, key] = first;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(bound(adminId));
      return { key_id: keyId, sealed: Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]) };
    },

    /** Throws for an unknown key, and for what was sealed otherwise. */
    open(adminId: number, { key_id: keyId, sealed }: Sealed): string {
      const key = derived.get(keyId);
      if (!key) throw new Error(`TOTP_KEYS has no key ${keyId}`);
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(bound(adminId)).setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    },
  };
}

export type Seal = ReturnType<typeof createSeal>;

/** The library is read when it is first needed. */
async function totpOf(secret: string | undefined, label: string) {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({
    issuer: texts.issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_MS / 1_000,
    secret: secret === undefined ? new Secret({ size: 20 }) : Secret.fromBase32(secret),
  });
}

/** A fresh secret in Base32, and the link by which an app takes it over. */
export async function newSecret(label: string): Promise<{ secret: string; uri: string }> {
  const totp = await totpOf(undefined, label);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The step whose code this is, of the one at `atMs` and its two neighbours; compared in constant time. */
export async function stepOf(secret: string, code: string, atMs: number): Promise<number | undefined> {
  const delta = (await totpOf(secret, '')).validate({ token: code, timestamp: atMs, window: 1 });
  return delta === null ? undefined : Math.floor(atMs / STEP_MS) + delta;
}

const compact = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Six digits; blanks are not part of them. Undefined for any other form. */
export const digitsOf = (code: string) => /^\d{6}$/.exec(compact(code))?.[0];

/** A recovery code however it is written. */
export const recoveryCodeOf = compact;

/** Ten codes of 80 bits: `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = () =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => BASE32[randomInt(BASE32.length)]).join('')).join(
      '-',
    ),
  );
