import { DEFAULT_LANGUAGE } from '@tutoring/shared/kit/process/language';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { afterCommit, type Reader, type Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { foundRoom, recipientGone, senderBarred } from '../errors.ts';
import { markSent } from '../files/file-store.ts';
import { assertLength, justSent, unstored, type MessageWindow, type NewMessage } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { isBarred } from '../people/person.ts';
import { supportNotification } from '../push/push.ts';
import { enqueuePushes } from '../push/push-store.ts';
import { followMessage, followReply } from './case-service.ts';
import { showSupportMessage, type SupportMessage, type SupportRoom } from './support.ts';
import * as store from './support-store.ts';

interface Sending {
  caller: UserCaller | AdminCaller;
  body: NewMessage;
  /** Of a reply: resolves the person's case. */
  resolve?: boolean;
}

/** The user's support room; creates it when there is none. */
export async function openRoom({ database }: Parts, userId: number): Promise<store.SeenSupportRoom> {
  const find = () => store.findSupportRoomOf(database.manager, userId);
  const existing = await find();
  if (existing) return existing;
  await database.autocommit((tx) => store.insertSupportRoom(tx, userId));
  return foundRoom(await find());
}

/** Locks the user's support room; creates it when there is none. */
export async function lockRoomOf(tx: Tx, userId: number): Promise<SupportRoom> {
  await store.insertSupportRoom(tx, userId);
  const { uuid } = foundRoom(await store.findSupportRoomOf(tx, userId));
  return lock(tx, uuid);
}

/** The support room with this uuid; throws `roomNotFound`. */
export const findRoom = async ({ database }: Parts, uuid: string) =>
  foundRoom(await store.findSupportRoom(database.manager, uuid));

const lock = async (tx: Tx, uuid: string) => foundRoom(await store.lockSupportRoom(tx, uuid));

/** Throws when the user is barred or, for an administrator's answer, when the account is deleted. */
export async function assertMayWrite(reader: Reader, userId: number, isAnswer: boolean): Promise<void> {
  const standing = await store.findStanding(reader, userId);
  if (isAnswer) assertThat(!standing?.deleted, recipientGone);
  else assertThat(!isBarred(standing), senderBarred);
}

/** Queues notifications of an administrator's answer, and records it in the audit log. */
async function recordAnswer(tx: Tx, admin: AdminCaller, room: SupportRoom, stored: SupportMessage): Promise<void> {
  const { id, message, message_link, created_at: at } = stored;
  await enqueuePushes(tx, [{ userId: room.user_id, notification: supportNotification(stored) }]);
  recordAdminAction(tx, admin, {
    action: 'support_message.created',
    subject: `support_message:${id}`,
    before: null,
    after: { room_uuid: room.uuid, user_id: room.user_id, message, message_link },
    at,
  });
}

/** Stores and publishes a message in a locked room. */
export async function writeMessage(tx: Tx, { wakePush }: Parts, room: SupportRoom, { caller, body }: Sending) {
  const isStaff = caller.kind === 'admin';
  await assertMayWrite(tx, room.user_id, isStaff);
  const stored = await store.insertSupportMessage(tx, unstored(room.uuid, caller.id, body), isStaff);
  await markSent(tx, [stored]);
  const shown = showSupportMessage(room, stored, stored.created_at);
  const sent = { event: 'support.message', data: justSent(shown, DEFAULT_LANGUAGE) } as const;
  publish(tx, [
    { ...sent, to: 'admins' },
    { ...sent, to: { user: room.user_id } },
  ]);
  if (caller.kind === 'admin') {
    await recordAnswer(tx, caller, room, stored);
    afterCommit(tx, wakePush);
  }
  return { stored, shown };
}

async function post(tx: Tx, parts: Parts, uuid: string, sending: Sending & { reopenHours: number }) {
  const { caller, body, resolve = false, reopenHours } = sending;
  const room = await lock(tx, uuid);
  const item = unstored(room.uuid, caller.id, body);
  const repeated = item.client_message_id === null ? undefined : await store.findSupportByClientId(tx, item);
  if (repeated) return showSupportMessage(room, repeated, repeated.created_at);
  const { stored, shown } = await writeMessage(tx, parts, room, sending);
  if (caller.kind === 'admin') await followReply(tx, parts, { room, at: stored.created_at, by: caller, resolve });
  else await followMessage(tx, parts, { room, stored, reopenHours });
  return shown;
}

/** Sends a message of the user or of an administrator. */
export async function send(parts: Parts, uuid: string, sending: Sending, once: Once) {
  const limits = await parts.settings();
  return once(parts.database, (tx) => {
    assertLength(sending.body, limits);
    return post(tx, parts, uuid, { ...sending, reopenHours: limits.desk_reopen_hours });
  });
}

/**
 * Marks the room read up to `upTo` for one side, and publishes it to both. All administrators share one read cursor.
 */
const markRead = ({ database }: Parts, uuid: string, isStaff: boolean, upTo: number): Promise<void> =>
  database.transact(async (tx) => {
    const room = await lock(tx, uuid);
    const readId = isStaff ? room.staff_read_id : room.user_read_id;
    const target = await store.newestSupportIdBy(tx, room.uuid, !isStaff, upTo);
    if (target <= readId) return;
    await store.moveSupportCursor(tx, room.uuid, isStaff, target);
    const newestId = isStaff ? room.user_last_id : room.staff_last_id;
    const unread = await store.countSupportBy(tx, room.uuid, !isStaff, { after: target, upTo: newestId });
    const data = { room_uuid: room.uuid, up_to: target };
    const user = { user: room.user_id };
    publish(tx, [
      { to: isStaff ? user : 'admins', event: 'message.read', data },
      { to: isStaff ? 'admins' : user, event: 'room.read', data: { ...data, unread } },
    ]);
  });

/** Marks the room read up to the page's newest message. The returned page shows the state before that. */
export async function page(parts: Parts, room: store.SeenSupportRoom, isStaff: boolean, window: MessageWindow) {
  const messages = await store.listSupportMessages(parts.database.manager, room.uuid, window);
  const newestId = messages.at(-1)?.id ?? 0;
  const readId = isStaff ? room.staff_read_id : room.user_read_id;
  const partnerLastId = isStaff ? room.user_last_id : room.staff_last_id;
  if (newestId > readId && partnerLastId > readId) await markRead(parts, room.uuid, isStaff, newestId);
  return { room, messages };
}
