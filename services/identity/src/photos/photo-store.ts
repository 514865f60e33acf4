import { exists, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';

export const PHOTO_TABLE = 'photo';

export const insertPhoto = (tx: Tx, photo: { key: string; accountId: number; size: number }) =>
  rows(tx, 'insert into photo (key, account_id, size) values ($1, $2, $3)', [photo.key, photo.accountId, photo.size]);

/** The visible photo with this key. */
export const findPhoto = (reader: Reader, key: string) =>
  row<{ size: number }>(reader, `select size from photo where key = $1 and state = 'visible'`, [key]);

const REMOVE_PHOTOS = `update photo set state = 'removed', changed_at = app_now()
  where account_id = $1 and state = 'visible' and key is distinct from $2 returning 1`;

/** Ends the links of the account's photos, except the one with `exceptKey`. Returns whether a link ended. */
export const removePhotos = (tx: Tx, accountId: number, exceptKey?: string) =>
  exists(tx, REMOVE_PHOTOS, [accountId, exceptKey ?? null]);
