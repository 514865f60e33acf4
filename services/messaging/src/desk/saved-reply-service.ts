import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { sqlState } from '@tutoring/shared/kit/database/refusals';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { replyNotFound, tooManyReplies } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { adminNames, rememberAdmin } from '../people/admin-store.ts';
import { timeNow } from '../support/case-store.ts';
import { texts } from '../texts.ts';
import { MAX_REPLIES, showSavedReply, type NewSavedReply, type SavedReply } from './saved-reply.ts';
import * as store from './saved-reply-store.ts';

const UNIQUE = '23505';

const shortcutTaken = () => invalidField('shortcut', sentences.taken);

const factsOf = ({ shortcut, text_en, text_fr }: SavedReply) => ({ shortcut, text_en, text_fr });

const record = (
  tx: Tx,
  admin: AdminCaller,
  what: 'created' | 'updated' | 'deleted',
  { id, at, before, after }: { id: number; at: string; before?: SavedReply; after?: SavedReply },
) =>
  recordAdminAction(tx, admin, {
    action: `support_reply.${what}`,
    subject: `support_reply:${id}`,
    before: before ? factsOf(before) : null,
    after: after ? factsOf(after) : null,
    at,
  });

export const createReply = ({ database }: Parts, admin: AdminCaller, fields: NewSavedReply, once: Once) =>
  once(database, async (tx) => {
    await rememberAdmin(tx, admin);
    await store.lockReplies(tx);
    assertThat((await store.countReplies(tx)) < MAX_REPLIES, () => tooManyReplies(MAX_REPLIES));
    const after = await store.insertReply(tx, admin.id, fields);
    assertThat(after, shortcutTaken);
    record(tx, admin, 'created', { id: after.id, at: after.created_at, after });
    return showSavedReply(after, await adminNames(tx, [after.created_by]));
  });

export const changeReply = ({ database }: Parts, admin: AdminCaller, id: number, fields: NewSavedReply) =>
  database
    .transact(async (tx) => {
      const before = await store.lockReply(tx, id);
      assertThat(before, replyNotFound);
      const nameOf = await adminNames(tx, [before.created_by]);
      const isSame = Object.entries(fields).every(([name, given]) => before[name as keyof NewSavedReply] === given);
      if (isSame) return showSavedReply(before, nameOf);
      const after = await store.updateReply(tx, id, fields);
      record(tx, admin, 'updated', { id, at: after.updated_at, before, after });
      return showSavedReply(after, nameOf);
    })
    .catch((error: unknown) => {
      throw sqlState(error) === UNIQUE ? shortcutTaken() : error;
    });

export const removeReply = ({ database }: Parts, admin: AdminCaller, id: number) =>
  database.transact(async (tx) => {
    const before = await store.lockReply(tx, id);
    assertThat(before, replyNotFound);
    await store.deleteReply(tx, id);
    record(tx, admin, 'deleted', { id, at: await timeNow(tx), before });
    return { message: texts.replyDeleted };
  });
