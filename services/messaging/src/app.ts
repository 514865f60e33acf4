import type { Tx } from '@tutoring/shared/kit/database/open';
import type { EventData } from '@tutoring/shared/contract/events';
import { on, onBatch, onSnapshots } from '@tutoring/shared/contract/subscriptions';
import { createCache } from '@tutoring/shared/kit/cache';
import { createFiles } from '@tutoring/shared/kit/files/files';
import { cleaningJob } from '@tutoring/shared/kit/files/records-store';
import { readSettings, saveSettings } from '@tutoring/shared/contract/setting-copies';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import { defineService } from '@tutoring/shared/contract/service';
import { announceMoney } from './announcements/announcement-service.ts';
import { blockRoutes } from './blocks/block-routes.ts';
import { blockSnapshots, forgetBlocks } from './blocks/block-store.ts';
import { followBookings } from './bookings/booking-service.ts';
import { createLiveCalls, followCalls } from './calls/call-service.ts';
import { forgetCalls } from './calls/call-store.ts';
import { messagingConfig, type MessagingConfig } from './config.ts';
import { conversationRoutes } from './conversation/conversation-routes.ts';
import { exportRoutes } from './export/export-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { FILE_TABLE, removeFilesOf, UNSENT } from './files/file-store.ts';
import { SETTINGS_CACHED_MS } from './deadlines.ts';
import { wakingJob } from './desk/desk-job.ts';
import { deskRoutes } from './desk/desk-routes.ts';
import { savedReplyRoutes } from './desk/saved-reply-routes.ts';
import type { Parts } from './parts.ts';
import { createPeople } from './people/person-service.ts';
import { saveBalances, savePeople } from './people/person-store.ts';
import { createPresence } from './presence/presence.ts';
import type { PushSender } from './push/push.ts';
import { pushJobs } from './push/push-job.ts';
import {
  dropPushesOf,
  forgetDeadDevices,
  deleteLessonPushCounts,
  deleteOldLessonPushCounts,
  saveDevices,
} from './push/push-store.ts';
import { createPushSender } from './push/sender.ts';
import { reportRoutes } from './reports/report-routes.ts';
import { forgetDetails } from './reports/report-store.ts';
import { roomRoutes } from './rooms/room-routes.ts';
import { roomSnapshots } from './rooms/room-store.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { followAdmins, followMissedMessages, forgetCases } from './support/case-service.ts';
import { supportRoutes } from './support/support-routes.ts';

/** Saves the copies of users, and deletes the data of deleted users that nobody else needs. */
async function applyUserChanges(tx: Tx, parts: Parts, users: EventData<'user.changed'>[]): Promise<void> {
  await savePeople(tx, users);
  for (const { id } of users.filter(({ deleted }) => deleted)) {
    await dropPushesOf(tx, id);
    await deleteLessonPushCounts(tx, id);
    await forgetBlocks(tx, id);
    await forgetDetails(tx, id);
    await removeFilesOf(tx, id);
    await forgetCases(tx, parts, id);
  }
}

/** Local copies of data that other services own. */
const copies = (parts: Parts) => [
  onSnapshots('user.changed', (tx, users) => applyUserChanges(tx, parts, users)),
  onSnapshots('balance.changed', saveBalances),
  onSnapshots('devices.changed', saveDevices),
  onSnapshots('setting.changed', saveSettings),
];

/** The platform settings that this service reads. */
const SETTINGS = ['message_max_length', 'show_contact_details', 'file_max_mb', 'desk_reopen_hours'] as const;

/** Routes by feature, in the order in which they are matched. */
const ROUTES = [
  // `/api/rooms/unread` must come before `/api/rooms/{uuid}`: the first match wins.
  roomRoutes,
  conversationRoutes,
  blockRoutes,
  reportRoutes,
  supportRoutes,
  deskRoutes,
  savedReplyRoutes,
  fileRoutes,
  statsRoutes,
  exportRoutes,
];

const upkeepJob = (parts: Parts): Job => ({
  name: 'upkeep',
  purpose: 'deletes old calls, dead devices and old notification counts, and opens cases for missed messages',
  everyMs: 30_000,
  run: async () => {
    const left = [
      await parts.database.autocommit(forgetCalls),
      await parts.database.autocommit(forgetDeadDevices),
      await parts.database.autocommit(deleteOldLessonPushCounts),
      await followMissedMessages(parts),
    ];
    return moreIf(left.includes(true));
  },
});

/** `pushSender` creates the client of the push provider; tests pass a fake. */
export const defineMessaging = (pushSender: (config: MessagingConfig) => PushSender) =>
  defineService({
    name: 'messaging',
    config: messagingConfig,
    migrations: new URL('../migrations/', import.meta.url),
    build: ({ config, database, bus, internal, logger, metrics, wakeJob }) => {
      const publicUrl = config.PUBLIC_URL;
      const files = createFiles(config, 'files', logger);
      const calls = internal('calls', config.CALLS_URL);
      const parts: Parts = {
        database,
        people: createPeople({
          database,
          logger,
          identity: internal('identity', config.IDENTITY_URL),
          wallet: internal('wallet', config.WALLET_URL),
          avatar: `${publicUrl}/api/assets/avatar.png`,
        }),
        calls,
        liveCallOf: createLiveCalls(calls),
        files,
        settings: createCache(() => readSettings(database.manager, SETTINGS), SETTINGS_CACHED_MS),
        presence: createPresence({ bus, logger }),
        wakePush: () => wakeJob('push'),
        publicUrl,
        namespace: config.ROOM_NAMESPACE,
      };

      return {
        routes: ROUTES.flatMap((routesOf) => routesOf(parts)),
        subscriptions: [
          ...copies(parts),
          onBatch('call.changed', (tx, events) => followCalls(tx, parts, events)),
          on('booking.announced', (tx, announcement) => followBookings(tx, parts, announcement)),
          on('money.announced', (tx, news) => announceMoney(tx, parts, news)),
          onSnapshots('admin.changed', (tx, admins) => followAdmins(tx, parts, admins)),
        ],
        jobs: [
          ...pushJobs({ database, send: pushSender(config), logger, metrics, wake: () => wakeJob('push') }),
          cleaningJob({ name: 'files', table: FILE_TABLE, database, files, unused: [UNSENT] }),
          wakingJob(parts),
          upkeepJob(parts),
        ],
        snapshots: { 'room.changed': roomSnapshots, 'block.changed': blockSnapshots },
      };
    },
  });

export const messaging = defineMessaging(createPushSender);
