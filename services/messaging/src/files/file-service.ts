import { stat } from 'node:fs/promises';
import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import type { Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { recordAdminAction } from '@tutoring/shared/events/publish/admin-action';
import { newKey, type Draft } from '@tutoring/shared/files/files';
import { makeImage } from '@tutoring/shared/files/images';
import { mediaOf, cleanFileName } from '@tutoring/shared/files/media';
import { createCountedFiles, markVisible } from '@tutoring/shared/files/records-store';
import { Download } from '@tutoring/shared/http/serve/download';
import type { Upload } from '@tutoring/shared/http/read/upload';
import { invalidField } from '@tutoring/shared/http/read/validation';
import { fileLost, fileNotFound, senderBarred } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { shareLiving } from '../people/person-store.ts';
import { texts } from '../texts.ts';
import { showFile, type File } from './file.ts';
import { FILE_TABLE, findFile, insertFile } from './file-store.ts';

const MIB = 1024 * 1024;

type Owner = UserCaller | AdminCaller;
type Described = Pick<File, 'type' | 'content_type' | 'width' | 'height'>;

/** Detects the file's type. Writes an image anew to `to`, without metadata. Throws invalid for an unreadable image. */
async function describe(owner: Owner, from: string, to: string): Promise<Described> {
  const { type, contentType } = await mediaOf(from);
  if (type !== 'image') return { type, content_type: contentType, width: null, height: null };
  const picture = await makeImage(`${owner.kind} ${owner.id}`, { from, to, contentType });
  assertThat(picture, () => invalidField('file', texts.unreadableImage));
  return { type, content_type: picture.contentType, width: picture.width, height: picture.height };
}

/** None appears after its owner's deletion. Administrators are not deleted. */
async function assertLives({ people }: Parts, tx: Tx, owner: Owner): Promise<void> {
  if (owner.kind === 'admin') return;
  await people.load([owner.id], tx);
  assertThat((await shareLiving(tx, [owner.id])).has(owner.id), senderBarred);
}

/** Turns a finished draft into a file. A crash in the middle leaves a pending file. */
async function publishFile(parts: Parts, owner: Owner, { path, size }: Draft, described: Described & { name: string }) {
  const { database, files } = parts;
  const pending = { key: newKey(), owner_id: owner.id, size, ...described };
  const file = await database.autocommit((tx) => insertFile(tx, pending));
  await files.store(file.key, path);
  await database.transact(async (tx) => {
    await assertLives(parts, tx, owner);
    assertThat(await markVisible(tx, FILE_TABLE, file.key), fileLost);
    if (owner.kind !== 'admin') return;
    const { id, name, type, created_at: at } = file;
    const after = { name, type, size };
    await recordAdminAction(tx, owner, { action: 'file.created', subject: `file:${id}`, before: null, after, at });
  });
  return file;
}

/** Stores an upload; the caller has checked the permission. Throws what `Upload` throws, and rate_limited. */
export async function receiveFile(parts: Parts, owner: Owner, upload: Upload) {
  const { file_max_mb: limit } = await parts.settings();
  return createCountedFiles(parts)(owner.id, upload, limit * MIB, (received) =>
    parts.files.draft(async (made) => {
      const described = await describe(owner, received.path, made);
      const path = described.type === 'image' ? made : received.path;
      const { size } = await stat(path);
      const name = cleanFileName(received.name);
      return showFile(await publishFile(parts, owner, { path, size }, { ...described, name }), parts.publicUrl);
    }),
  );
}

/** Throws not_found when the key is unknown or its file was removed. */
export async function readFile({ database, files }: Parts, key: string): Promise<Download> {
  const file = await findFile(database.manager, key);
  assertThat(file, fileNotFound);
  return new Download({
    contentType: file.content_type,
    size: file.size,
    tag: key,
    name: file.name,
    isAttachment: file.type === 'file',
    open: (range) => files.open(key, range),
  });
}
