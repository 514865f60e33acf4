import { DEFAULT_LANGUAGE } from '@tutoring/shared/process/language';
import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import { afterCommit, type Database, type Reader, type Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { recordAdminAction } from '@tutoring/shared/events/publish/admin-action';
import type { LiveData } from '@tutoring/shared/events/live';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { recipientGone, roomNotFound, senderBarred } from '../errors.ts';
import { fileKeyOf } from '../files/file.ts';
import { markSent } from '../files/file-store.ts';
import { assertLength, justSent, type MessageWindow, type NewMessage } from '../messages/message.ts';
import { isBarred } from '../people/person.ts';
import { supportNotification } from '../push/notification.ts';
import { enqueuePushes } from '../push/push-store.ts';
import type { MessagingSettings } from '../settings/setting-cache.ts';
import { showSupportMessage, type SupportMessage, type SupportRoom } from './support.ts';
import * as store from './support-store.ts';

interface Sending {
  caller: UserCaller | AdminCaller;
  scope: string;
  body: NewMessage;
  key: string | undefined;
}

export function createSupport(deps: {
  database: Database;
  settings: () => Promise<MessagingSettings>;
  wakePush: () => void;
}) {
  const { database, settings, wakePush } = deps;

  async function openRoom(userId: number): Promise<store.SeenSupportRoom> {
    const known = await store.findSupportRoomOf(database.manager, userId);
    if (known) return known;
    await database.autocommit((tx) => store.insertSupportRoom(tx, userId));
    const opened = await store.findSupportRoomOf(database.manager, userId);
    assertThat(opened, roomNotFound);
    return opened;
  }

  async function lock(tx: Tx, uuid: string): Promise<SupportRoom> {
    const room = await store.lockSupportRoom(tx, uuid);
    assertThat(room, roomNotFound);
    return room;
  }

  /** Publishes a message to every administrator and to the user. */
  const publishMessage = (tx: Tx, room: SupportRoom, data: LiveData<'support.message'>) =>
    publishInOrder(tx, [
      { to: 'admins', event: 'support.message', data },
      { to: { user: room.user_id }, event: 'support.message', data },
    ]);

  /** Throws when a user is barred, or an administrator writes to a deleted account. */
  async function assertMayWrite(reader: Reader, userId: number, isAnswer: boolean): Promise<void> {
    const standing = await store.findStanding(reader, userId);
    if (isAnswer) assertThat(!standing?.deleted, recipientGone);
    else assertThat(!standing || !isBarred(standing), senderBarred);
  }

  /** Notifies the user's devices and the audit log of an answer. */
  async function noteAnswer(tx: Tx, admin: AdminCaller, room: SupportRoom, stored: SupportMessage): Promise<void> {
    const { id, message, message_link, created_at: at } = stored;
    await enqueuePushes(tx, [{ userId: room.user_id, notification: supportNotification(stored) }]);
    afterCommit(tx, wakePush);
    await recordAdminAction(tx, admin, {
      action: 'support_message.created',
      subject: `support_message:${id}`,
      before: null,
      after: { room_uuid: room.uuid, user_id: room.user_id, message, message_link },
      at,
    });
  }

  async function post(tx: Tx, caller: UserCaller | AdminCaller, uuid: string, body: NewMessage) {
    const from = { id: caller.id, staff: caller.kind === 'admin' };
    const { client_message_id: clientId } = body;
    const room = await lock(tx, uuid);
    const repeated =
      clientId === undefined ? undefined : await store.findSupportByClientId(tx, room.uuid, from.id, clientId);
    if (repeated) return showSupportMessage(room, repeated, repeated.created_at);
    await assertMayWrite(tx, room.user_id, from.staff);
    const stored = await store.insertSupportMessage(tx, room, from, body);
    const key = fileKeyOf(stored.message_link);
    if (key !== undefined) await markSent(tx, [{ key, senderId: from.id }]);
    const shown = showSupportMessage(room, stored, stored.created_at);
    await publishMessage(tx, room, justSent(shown, DEFAULT_LANGUAGE));
    if (caller.kind === 'admin') await noteAnswer(tx, caller, room, stored);
    return shown;
  }

  async function send(uuid: string, sending: Sending) {
    const limits = await settings();
    return database.transact((tx) =>
      once(tx, sending, async () => {
        assertLength(sending.body, limits);
        return post(tx, sending.caller, uuid, sending.body);
      }),
    );
  }

  /** Marks the room read up to `upTo` for one side, and publishes that to the other side. */
  async function markRead(uuid: string, reader: { staff: boolean }, upTo: number): Promise<void> {
    await database.transact(async (tx) => {
      const room = await lock(tx, uuid);
      const readId = reader.staff ? room.staff_read_id : room.user_read_id;
      const target = await store.newestSupportIdBy(tx, room.uuid, !reader.staff, upTo);
      if (target <= readId) return;
      await store.moveSupportCursor(tx, room.uuid, reader.staff, target);
      const data = { room_uuid: room.uuid, up_to: target };
      await publishInOrder(tx, [{ to: reader.staff ? { user: room.user_id } : 'admins', event: 'message.read', data }]);
    });
  }

  /** Marks the room read up to the page's newest message. The returned page shows the state before that. */
  async function page(room: store.SeenSupportRoom, reader: { staff: boolean }, window: MessageWindow) {
    const messages = await store.listSupportMessages(database.manager, room.uuid, window);
    const newestId = messages.at(-1)?.id ?? 0;
    const readId = reader.staff ? room.staff_read_id : room.user_read_id;
    const lastOfOthers = reader.staff ? room.user_last_id : room.staff_last_id;
    if (newestId > readId && lastOfOthers > readId) await markRead(room.uuid, reader, newestId);
    return { room, messages };
  }

  return {
    pageForUser: async (userId: number, window: MessageWindow) =>
      page(await openRoom(userId), { staff: false }, window),

    async pageForAdmin(uuid: string, window: MessageWindow) {
      const room = await store.findSupportRoom(database.manager, uuid);
      assertThat(room, roomNotFound);
      return page(room, { staff: true }, window);
    },

    /** This and the next function throw the errors that sending a message would throw. */
    assertUserMayWrite: (userId: number) => assertMayWrite(database.manager, userId, false),

    async assertAdminMayWrite(uuid: string): Promise<void> {
      const room = await store.findSupportRoom(database.manager, uuid);
      assertThat(room, roomNotFound);
      await assertMayWrite(database.manager, room.user_id, true);
    },

    async sendByUser(caller: UserCaller, body: NewMessage, key: string | undefined) {
      const { uuid } = await openRoom(caller.id);
      return send(uuid, { caller, scope: 'POST /api/support/messages', key, body });
    },

    sendByAdmin: (caller: AdminCaller, uuid: string, body: NewMessage, key: string | undefined) =>
      send(uuid, { caller, scope: `POST /api/admin/rooms/${uuid.toLowerCase()}/messages`, key, body }),
  };
}

export type Support = ReturnType<typeof createSupport>;
