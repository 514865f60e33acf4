import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { assertThat } from '@tutoring/shared/kit/errors';
import { newKey } from '@tutoring/shared/kit/files/files';
import { makePortrait } from '@tutoring/shared/kit/files/images';
import { mediaOf } from '@tutoring/shared/kit/files/media';
import { createCountedFiles, markVisible } from '@tutoring/shared/kit/files/records-store';
import { Download, type ByteRange } from '@tutoring/shared/kit/http/serve/download';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { invalidField } from '@tutoring/shared/kit/http/read/validation';
import { stat } from 'node:fs/promises';
import { busy, found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as users from '../users/user-service.ts';
import { PHOTO_PATH } from '../users/user.ts';
import { lockLogin, loginById, updateAccount } from '../users/user-store.ts';
import { findPhoto, insertPhoto, PHOTO_TABLE, removePhotos } from './photo-store.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const SIDE = 512;
const CONTENT_TYPE = 'image/jpeg';
/** File name of downloads; it does not reveal the owner. */
const NAME = 'photo.jpg';

/** Sets or removes the photo and ends the link of the previous one. Throws not_found for a deleted account. */
const changePhoto = (parts: Parts, id: number, key?: string) =>
  parts.database.transact(async (tx) => {
    found(await lockLogin(tx, id));
    await removePhotos(tx, id);
    // Fails if the cleaning job has removed the upload as an orphan.
    if (key !== undefined) assertThat(await markVisible(tx, PHOTO_TABLE, key), () => busy(1));
    await updateAccount(tx, id, { photo: key === undefined ? '' : `${PHOTO_PATH}${key}` });
    await users.publishChange(parts, tx, [id]);
  });

/** Stores a finished portrait as the account's photo; after a crash the cleaning job removes the pending photo. */
async function setPhoto(parts: Parts, accountId: number, path: string): Promise<void> {
  const key = newKey();
  const { size } = await stat(path);
  await parts.database.autocommit((tx) => insertPhoto(tx, { key, accountId, size }));
  await parts.files.store(key, path);
  await changePhoto(parts, accountId, key);
}

/** Makes the uploaded image the caller's photo. Throws invalid unless it is one, and errors of `Upload`. */
export async function replace(parts: Parts, { id }: UserCaller, { upload, clientAddress }: RequestInfo) {
  found(await loginById(parts.database.manager, id));
  await createCountedFiles({ database: parts.database, files: parts.files })(id, upload, MAX_BYTES, ({ path }) =>
    parts.files.draft(async (portrait) => {
      const { type } = await mediaOf(path);
      const by = { account: `${id}`, address: clientAddress };
      const picture = type === 'image' && (await makePortrait(by, { from: path, to: portrait, side: SIDE }));
      assertThat(picture, () => invalidField('file', texts.notAnImage));
      await setPhoto(parts, id, portrait);
    }),
  );
  parts.wakeJob('photos');
  return users.show(parts, id);
}

/** Restores the default photo. */
export async function remove(parts: Parts, { id }: UserCaller) {
  await changePhoto(parts, id);
  parts.wakeJob('photos');
  return { message: texts.photoRemoved };
}

/** Throws not_found for a key that never existed or has ended. */
export async function read({ database, files }: Parts, key: string): Promise<Download> {
  const { size } = found(await findPhoto(database.manager, key));
  const open = (range?: ByteRange) => files.open(key, range);
  return new Download({ contentType: CONTENT_TYPE, size, tag: key, name: NAME, isAttachment: false, open });
}
