import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { normalizeCode } from '@tutoring/shared/kit/language/typed-text';
import type { KeyPair } from '@tutoring/shared/kit/process/config';
import { texts } from '../texts.ts';

const STEP_MS = 30_000;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const RECOVERY_CODES = 10;

/** An encrypted secret. */
export interface Sealed {
  key_id: string;
  /** Initialisation vector, ciphertext, tag. */
  sealed: Buffer;
}

/** Encrypts secrets with AES-256-GCM, bound to the administrator. The first of the keys (not empty) seals, all open. */
export function createSeal(keys: KeyPair[]) {
  const derived = new Map(
    keys.map(({ kid, secret }) => [kid, Buffer.from(hkdfSync('sha256', secret, '', 'secrets of second factors', 32))]),
  );
  const keyId = keys[0]!.kid;
  const bound = (adminId: number) => Buffer.from(`admin:${adminId}`);

  return {
    /** Id of the sealing key. */
    keyId,

    seal(adminId: number, secret: string): Sealed {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derived.get(keyId)!, iv, { authTagLength: TAG_BYTES }).setAAD(
        bound(adminId),
      );
      return { key_id: keyId, sealed: Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]) };
    },

    /** Throws for an unknown key, another administrator's secret, or corrupt bytes. */
    open(adminId: number, { key_id, sealed }: Sealed): string {
      const key = derived.get(key_id);
      if (!key) throw new Error(`TOTP_KEYS has no key ${key_id}`);
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(bound(adminId)).setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    },
  };
}

/** The library is loaded at its first use. */
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

/** A new secret in Base32, and the otpauth link that adds it to an app. */
export async function newSecret(label: string): Promise<{ secret: string; uri: string }> {
  const totp = await totpOf(undefined, label);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step of a right code: at `atMs` or adjacent; undefined for a wrong code. Compares in constant time. */
export async function stepOf(secret: string, code: string, atMs: number): Promise<number | undefined> {
  const delta = (await totpOf(secret, '')).validate({ token: code, timestamp: atMs, window: 1 });
  return delta === null ? undefined : Math.floor(atMs / STEP_MS) + delta;
}

/** The six digits of a code, without spaces and hyphens; undefined for any other form. */
export const digitsOf = (code: string) => /^\d{6}$/.exec(normalizeCode(code))?.[0];

/** Normal form of recovery codes, for comparison. NFKC, because some keyboards type full-width letters. */
export const recoveryCodeOf = (code: string) => normalizeCode(code).normalize('NFKC').toUpperCase();

/** Ten codes of 80 bits: `ABCD-EFGH-IJKL-MNOP`. */
export async function newRecoveryCodes(): Promise<string[]> {
  const { Secret } = await import('otpauth');
  const newCode = () => new Secret({ size: 10 }).base32.replaceAll(/.{4}(?=.)/g, '$&-');
  return Array.from({ length: RECOVERY_CODES }, newCode);
}
