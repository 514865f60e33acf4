import { column, columnsOf, requiredRow, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { shareDeleted } from '../people/person-store.ts';
import { fileKeyOf, type File } from './file.ts';

export const FILE_TABLE = 'file';
const COLUMNS = 'id, key, owner_id, name, type, content_type, size, width, height, created_at';

/** Inserts a pending file: its bytes are not stored yet. */
export const insertFile = (tx: Tx, file: Omit<File, 'id' | 'created_at'>) =>
  requiredRow<File>(
    tx,
    `insert into file (key, owner_id, name, type, content_type, size, width, height)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [file.key, file.owner_id, file.name, file.type, file.content_type, file.size, file.width, file.height],
  );

/** The visible file with this key. */
export const findFile = (reader: Reader, key: string) =>
  row<File>(reader, `select ${COLUMNS} from file where key = $1 and state = 'visible'`, [key]);

/** A person's uploads, newest first; only ids below `before`. */
export const listFilesOf = (
  reader: Reader,
  ownerId: number,
  { before, limit }: { before: number | undefined; limit: number },
) =>
  rows<File>(
    reader,
    `select ${COLUMNS} from file where owner_id = $1 and state = 'visible' and ($2::bigint is null or id < $2)
     order by id desc limit $3`,
    [ownerId, before ?? null, limit],
  );

/** Records which files these messages link to. Ignores unknown keys and messages of deleted senders. */
export async function markSent(tx: Tx, messages: { message_link: string | null; sender_id: number }[]): Promise<void> {
  const links = messages.flatMap(({ message_link, sender_id }) => {
    const key = fileKeyOf(message_link);
    return key === undefined ? [] : [{ key, sender_id }];
  });
  if (links.length === 0) return;
  const deleted = await shareDeleted(
    tx,
    links.map(({ sender_id }) => sender_id),
  );
  const living = links.filter(({ sender_id }) => !deleted.has(sender_id));
  await rows(
    tx,
    `with sent as (
       select key from file where key = any($1) and state = 'visible' order by key for update
     ), noted as (
       insert into file_sender (key, sender_id)
       select key, sender_id from unnest($1::text[], $2::bigint[]) as link (key, sender_id) join sent using (key)
       on conflict do nothing
     )
     update file set sent = true from sent where file.key = sent.key and not sent`,
    columnsOf(living, 'key', 'sender_id'),
  );
}

/** Removes the files that only this person has sent, and those that they uploaded and nobody has sent. */
export async function removeFilesOf(tx: Tx, personId: number): Promise<void> {
  const sent = await column<string>(tx, 'delete from file_sender where sender_id = $1 returning key', [personId]);
  // The update is a statement after this lock, so it sees senders who were recorded before the lock was granted.
  const theirs = await column<string>(
    tx,
    `select key from file where state = 'visible' and (key = any($2) or (owner_id = $1 and not sent))
     order by key for update`,
    [personId, sent],
  );
  await rows(
    tx,
    `update file set state = 'removed', changed_at = app_now()
     where key = any($1) and not exists (select from file_sender s where s.key = file.key)`,
    [theirs],
  );
}

/** Files that no message has used within a day. */
export const UNSENT = {
  where: `state = 'visible' and not sent and created_at < app_now() - interval '24 hours'`,
  age: 'created_at',
};
