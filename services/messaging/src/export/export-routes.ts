import type { Route } from '@tutoring/shared/kit/http/declare/route';
import { command } from '@tutoring/shared/contract/command';
import { EXPORT_PAGE, exportHandler, nextCursor } from '@tutoring/shared/kit/commands/export-page';
import { roomNotFound } from '../errors.ts';
import { showFile } from '../files/file.ts';
import { listFilesOf } from '../files/file-store.ts';
import type { Parts } from '../parts.ts';
import { showMessage } from '../messages/message.ts';
import { listOwnMessages } from '../messages/message-store.ts';
import { showRooms } from '../rooms/room-service.ts';
import { isRead, lastOwnId } from '../rooms/room.ts';
import { findRoom, listRoomsAfter } from '../rooms/room-store.ts';
import { ratingOf, type SupportCase } from '../support/case.ts';
import { listCasesOf } from '../support/case-store.ts';
import { showSupportDetail, showSupportMessage } from '../support/support.ts';
import { findSupportRoomOf, listOwnSupportMessages } from '../support/support-store.ts';

const showOwnCase = (stored: SupportCase) => ({
  id: stored.id,
  state: stored.state === 'snoozed' ? 'open' : stored.state,
  subject: stored.subject,
  created_at: stored.created_at,
  resolved_at: stored.resolved_at,
  rating: ratingOf(stored),
});

/** The data of this service for a user's export, in pages. */
export function exportRoutes(parts: Parts): Route[] {
  const { manager } = parts.database.standby;

  /** The support room as the user's app shows it, without messages. */
  async function supportRooms(userId: number) {
    const room = await findSupportRoomOf(manager, userId);
    if (!room) return [];
    const { messages: _own, ...shown } = showSupportDetail(room, [], room.now);
    return [{ room: shown, wrote: room.user_last_id > 0 }];
  }

  return [
    /** The user's rooms, with the user's own last message as `last_message`; the support room comes last. */
    command('rooms.export', async ({ params: { id: userId }, query: { after } }) => {
      const page = await listRoomsAfter(manager, userId, after, EXPORT_PAGE);
      const shown = await showRooms(parts, page, userId, { lastIdOf: lastOwnId });
      const items = shown.map((room, index) => ({ room, wrote: lastOwnId(page[index]!, userId) > 0 }));
      const next = nextCursor(page, ({ uuid }) => uuid);
      return { items: next === null ? [...items, ...(await supportRooms(userId))] : items, next };
    }),

    command('files.export', async ({ params: { id: userId }, query: { after } }) => {
      const page = await listFilesOf(manager, userId, { before: after, limit: EXPORT_PAGE });
      return { items: page.map((file) => showFile(file, parts.publicUrl)), next: nextCursor(page, ({ id }) => id) };
    }),

    /** The user's support cases; a snoozed one is open for the user. */
    command('cases.export', exportHandler(manager, listCasesOf, showOwnCase)),

    /** The user's own messages in a room, oldest first. Not found unless the user takes part in the room. */
    command(
      'messages.export',
      async ({ params: { id: senderId, uuid }, query: { after } }) => {
        const window = { roomUuid: uuid.toLowerCase(), senderId, after, limit: EXPORT_PAGE };
        const room = await findRoom(manager, window.roomUuid, senderId);
        if (room) {
          const page = await listOwnMessages(manager, window);
          const items = page.map((stored) => showMessage(stored, room.now, isRead(room, stored)));
          return { items, next: nextCursor(page, ({ id }) => id) };
        }
        const support = await findSupportRoomOf(manager, senderId);
        if (support?.uuid !== window.roomUuid) return undefined;
        const page = await listOwnSupportMessages(manager, window);
        const items = page.map((stored) => showSupportMessage(support, stored, support.now));
        return { items, next: nextCursor(page, ({ id }) => id) };
      },
      roomNotFound,
    ),
  ];
}
