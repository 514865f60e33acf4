import { assertThat } from '@tutoring/shared/kit/errors';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { invalidField } from '@tutoring/shared/kit/http/read/validation';
import { conflict } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { secretHash } from '../tokens/token.ts';
import * as store from './totp-store.ts';
import { createSeal, digitsOf, newRecoveryCodes, newSecret, recoveryCodeOf, stepOf, type Sealed } from './totp.ts';

/** Encrypts the secrets of second factors. */
const sealOf = ({ config }: Parts) => createSeal(config.TOTP_KEYS ?? config.CODE_KEYS);

/** Logs an error and returns undefined when no key decrypts the secret. */
function secretOf(parts: Parts, adminId: number, sealed: Sealed): string | undefined {
  try {
    return sealOf(parts).open(adminId, sealed);
  } catch (error) {
    parts.logger.error({ err: error, admin_id: adminId, key_id: sealed.key_id }, 'no key opens a second factor');
    return undefined;
  }
}

/** The time step of a right code of the app. Undefined for any other code, and without a readable secret. */
async function matchingStep(parts: Parts, adminId: number, factor: store.Factor, code: string) {
  const digits = digitsOf(code);
  if (digits === undefined) return undefined;
  const secret = secretOf(parts, adminId, factor);
  return secret === undefined ? undefined : stepOf(secret, digits, factor.at);
}

export const isOn = async ({ database }: Parts, adminId: number) =>
  (await store.findFactor(database.manager, adminId))?.confirmed === true;

/** Checks a code and consumes a right one; `off` when no code is needed. */
export async function check(
  parts: Parts,
  adminId: number,
  code: string | undefined,
): Promise<'off' | 'missing' | 'right' | 'wrong'> {
  const factor = await store.findFactor(parts.database.manager, adminId);
  if (!factor?.confirmed) return 'off';
  if (code === undefined) return 'missing';
  const step = await matchingStep(parts, adminId, factor, code);
  const isSpent = await parts.database.autocommit((tx) =>
    step === undefined
      ? store.spendRecoveryCode(tx, adminId, secretHash(recoveryCodeOf(code)))
      : store.spendStep(tx, adminId, step),
  );
  return isSpent ? 'right' : 'wrong';
}

/** Creates an unconfirmed factor; only this returns its secret. Throws conflict while a factor is on. */
export async function open(parts: Parts, tx: Tx, adminId: number, label: string) {
  const created = await newSecret(label);
  assertThat(await store.replaceUnconfirmed(tx, adminId, sealOf(parts).seal(adminId, created.secret)), () =>
    conflict(texts.totpIsOn),
  );
  return created;
}

/** Switches the factor on with a first code; returns the recovery codes. Throws invalid for a wrong code. */
export async function confirm(parts: Parts, tx: Tx, adminId: number, code: string): Promise<string[]> {
  const factor = await store.lockFactor(tx, adminId);
  const step = factor?.confirmed === false ? await matchingStep(parts, adminId, factor, code) : undefined;
  if (step === undefined) throw invalidField('code', texts.codeInvalid);
  const codes = await newRecoveryCodes();
  const hashes = codes.map((recovery) => secretHash(recoveryCodeOf(recovery)));
  await store.confirmFactor(tx, adminId, step, hashes);
  return codes;
}

/** Returns whether the factor was on. */
export const remove = async (tx: Tx, adminId: number): Promise<boolean> =>
  (await store.deleteFactor(tx, adminId))?.confirmed === true;

/** At a start: encrypts secrets of other keys with the first key, so that the other keys can be removed. */
export async function rotateSecrets(parts: Parts, tx: Tx): Promise<void> {
  const seal = sealOf(parts);
  for (const { admin_id: adminId, ...sealed } of await store.lockSealedByOtherKeys(tx, seal.keyId)) {
    const secret = secretOf(parts, adminId, sealed);
    if (secret !== undefined) await store.reseal(tx, adminId, seal.seal(adminId, secret));
  }
}
