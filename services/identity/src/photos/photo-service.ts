import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { assertThat } from '@tutoring/shared/kit/errors';
import { newKey, type Files } from '@tutoring/shared/kit/files/files';
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
import { PHOTO_PATH } from '../users/user.ts';
import { lockLogin, loginById, updateAccount } from '../users/user-store.ts';
import { findPhoto, insertPhoto, PHOTO_TABLE, removePhotos } from './photo-store.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const SIDE = 512;
const CONTENT_TYPE = 'image/jpeg';
/** File name of downloads; it does not reveal the owner. */
const NAME = 'photo.jpg';

export function createPhotos({ database, files, users, wakeJob }: Parts & { files: Files }) {
  const receive = createCountedFiles({ database, files });

  /** Sets or removes the photo and ends the link of the previous one. Throws not_found for a deleted account. */
  const changePhoto = (id: number, key?: string) =>
    database.transact(async (tx) => {
      found(await lockLogin(tx, id));
      await removePhotos(tx, id);
      // Fails if the cleaning job has removed the upload as an orphan.
      if (key !== undefined) assertThat(await markVisible(tx, PHOTO_TABLE, key), () => busy(1));
      await updateAccount(tx, id, { photo: key === undefined ? '' : `${PHOTO_PATH}${key}` });
      await users.publishChange(tx, [id]);
    });

  /** Stores a finished portrait as the account's photo; after a crash the cleaning job removes the pending photo. */
  async function setPhoto(accountId: number, path: string): Promise<void> {
    const key = newKey();
    const { size } = await stat(path);
    await database.autocommit((tx) => insertPhoto(tx, { key, accountId, size }));
    await files.store(key, path);
    await changePhoto(accountId, key);
  }

  return {
    /** Makes the uploaded image the caller's photo. Throws invalid unless it is one, and errors of `Upload`. */
    async replace({ id }: UserCaller, { upload, clientAddress }: RequestInfo) {
      found(await loginById(database.manager, id));
      await receive(id, upload, MAX_BYTES, ({ path }) =>
        files.draft(async (portrait) => {
          const { type } = await mediaOf(path);
          const by = { account: `${id}`, address: clientAddress };
          const picture = type === 'image' && (await makePortrait(by, { from: path, to: portrait, side: SIDE }));
          assertThat(picture, () => invalidField('file', texts.notAnImage));
          await setPhoto(id, portrait);
        }),
      );
      wakeJob('photos');
      return users.show(id);
    },

    /** Restores the default photo. */
    async remove({ id }: UserCaller) {
      await changePhoto(id);
      wakeJob('photos');
      return { message: texts.photoRemoved };
    },

    /** Throws not_found for a key that never existed or has ended. */
    async read(key: string): Promise<Download> {
      const { size } = found(await findPhoto(database.manager, key));
      const open = (range?: ByteRange) => files.open(key, range);
      return new Download({ contentType: CONTENT_TYPE, size, tag: key, name: NAME, isAttachment: false, open });
    },
  };
}

export type Photos = ReturnType<typeof createPhotos>;
