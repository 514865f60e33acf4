import { stat } from 'node:fs/promises';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { newKey, type Draft } from '@tutoring/shared/kit/files/files';
import { makeImage, type Uploader } from '@tutoring/shared/kit/files/images';
import { mediaOf, cleanFileName } from '@tutoring/shared/kit/files/media';
import { createCountedFiles, markVisible } from '@tutoring/shared/kit/files/records-store';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { Download, OCTETS } from '@tutoring/shared/kit/http/serve/download';
import { fileLost, fileNotFound, senderBarred } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { shareLiving } from '../people/person-store.ts';
import { showFile, type File } from './file.ts';
import { FILE_TABLE, findFile, insertFile } from './file-store.ts';

const MIB = 1024 * 1024;

type Owner = UserCaller | AdminCaller;
type Described = Pick<File, 'type' | 'content_type' | 'width' | 'height'>;

/**
 * Detects the type of the file `received`. An image is re-encoded to `made` without metadata. An image that cannot be
 * shown becomes a `file`, and is copied to `made` without its location.
 */
async function describe(by: Uploader, received: string, made: string): Promise<Described & { path: string }> {
  const { type, contentType } = await mediaOf(received);
  const file = { type, content_type: contentType, width: null, height: null, path: received };
  if (type !== 'image') return file;
  const picture = await makeImage(by, { from: received, to: made, contentType });
  if (!picture) return { ...file, type: 'file', content_type: OCTETS, path: made };
  const { width, height } = picture;
  return { type, content_type: picture.contentType, width, height, path: made };
}

/**
 * Throws `senderBarred` for a deleted owner, and locks the owner against deletion. Administrators are never deleted.
 */
async function assertNotDeleted({ people }: Parts, tx: Tx, owner: Owner): Promise<void> {
  if (owner.kind === 'admin') return;
  await people.load([owner.id], tx);
  assertThat((await shareLiving(tx, [owner.id])).has(owner.id), senderBarred);
}

/**
 * Turns a finished draft into a visible file. A crash halfway leaves a pending file, which the clean-up job removes.
 */
async function publishFile(parts: Parts, owner: Owner, { path, size }: Draft, described: Described & { name: string }) {
  const { database, files } = parts;
  const pending = { key: newKey(), owner_id: owner.id, size, ...described };
  const file = await database.autocommit((tx) => insertFile(tx, pending));
  await files.store(file.key, path);
  await database.transact(async (tx) => {
    await assertNotDeleted(parts, tx, owner);
    assertThat(await markVisible(tx, FILE_TABLE, file.key), fileLost);
    if (owner.kind !== 'admin') return;
    const { id, name, type, created_at: at } = file;
    const after = { name, type, size };
    recordAdminAction(tx, owner, { action: 'file.created', subject: `file:${id}`, before: null, after, at });
  });
  return file;
}

/** Stores an upload; the caller has checked the permission. Throws what `Upload` throws, and rate_limited. */
export async function receiveFile(parts: Parts, owner: Owner, { upload, clientAddress }: RequestInfo) {
  const { file_max_mb: limit } = await parts.settings();
  const by = { account: `${owner.kind} ${owner.id}`, address: clientAddress };
  return createCountedFiles(parts)(owner.id, upload, limit * MIB, (received) =>
    parts.files.draft(async (made) => {
      const { path, ...described } = await describe(by, received.path, made);
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
