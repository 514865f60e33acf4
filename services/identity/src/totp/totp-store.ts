import { exists, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Sealed } from './totp.ts';

export interface Factor extends Sealed {
  confirmed: boolean;
  /** The database's clock, in milliseconds. */
  at: number;
}

const FACTOR = `select key_id, sealed, confirmed_at is not null as confirmed, floor(extract(epoch from app_now()) * 1000) as at
  from admin_totp where admin_id = $1`;

export const findFactor = (reader: Reader, adminId: number) => row<Factor>(reader, FACTOR, [adminId]);
export const lockFactor = (tx: Tx, adminId: number) => row<Factor>(tx, `${FACTOR} for update`, [adminId]);

const REPLACE_UNCONFIRMED = `insert into admin_totp (admin_id, key_id, sealed) values ($1, $2, $3)
  on conflict (admin_id) do update set key_id = excluded.key_id, sealed = excluded.sealed, created_at = app_now()
  where admin_totp.confirmed_at is null returning admin_id`;

/** Inserts or replaces an unconfirmed factor; false while a factor is on. */
export const replaceUnconfirmed = (tx: Tx, adminId: number, { key_id: keyId, sealed }: Sealed) =>
  exists(tx, REPLACE_UNCONFIRMED, [adminId, keyId, sealed]);

const CONFIRM_FACTOR =
  'update admin_totp set confirmed_at = app_now(), used_steps = array[$2::bigint] where admin_id = $1';

const INSERT_RECOVERY_CODES = 'insert into admin_recovery_code (admin_id, hash) select $1, unnest($2::bytea[])';

/** Switches the factor on and marks `step` as used. */
export async function confirmFactor(tx: Tx, adminId: number, step: number, recoveryHashes: Buffer[]): Promise<void> {
  await rows(tx, CONFIRM_FACTOR, [adminId, step]);
  await rows(tx, INSERT_RECOVERY_CODES, [adminId, recoveryHashes]);
}

const SPEND_STEP = `update admin_totp
  set used_steps = array(select u from unnest(used_steps) u where u >= $2::bigint - 2) || $2::bigint
  where admin_id = $1 and not $2::bigint = any(used_steps) returning admin_id`;

/** Marks a step as used; false when it was used before, also by a concurrent request. */
export const spendStep = (tx: Tx, adminId: number, step: number) => exists(tx, SPEND_STEP, [adminId, step]);

/** Deletes a recovery code; false when it does not exist. */
export const spendRecoveryCode = (tx: Tx, adminId: number, hash: Buffer) =>
  exists(tx, 'delete from admin_recovery_code where admin_id = $1 and hash = $2 returning admin_id', [adminId, hash]);

const DELETE_FACTOR = 'delete from admin_totp where admin_id = $1 returning confirmed_at is not null as confirmed';

/** Removes the factor. Returns whether it was on; undefined when there was none. */
export const deleteFactor = (tx: Tx, adminId: number) => row<{ confirmed: boolean }>(tx, DELETE_FACTOR, [adminId]);

const LOCK_SEALED_BY_OTHER_KEYS =
  'select admin_id, key_id, sealed from admin_totp where key_id <> $1 order by admin_id for update';

/** Locks the secrets that were encrypted with other keys. */
export const lockSealedByOtherKeys = (tx: Tx, keyId: string) =>
  rows<Sealed & { admin_id: number }>(tx, LOCK_SEALED_BY_OTHER_KEYS, [keyId]);

export const reseal = (tx: Tx, adminId: number, { key_id: keyId, sealed }: Sealed) =>
  rows(tx, 'update admin_totp set key_id = $2, sealed = $3 where admin_id = $1', [adminId, keyId, sealed]);
