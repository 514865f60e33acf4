import { on } from '@tutoring/shared/events/subscribe';
import { defineService } from '@tutoring/shared/service';
import { createCalls } from './calls/call-service.ts';
import { messagingConfig } from './config.ts';
import { messageRoutes } from './messages/message-routes.ts';
import { createMessages } from './messages/message-service.ts';
import { createPeople } from './people/people.ts';
import { keepBalance, keepPerson } from './people/people-store.ts';
import { dropPushesOf, keepDevices } from './push/push-store.ts';
import { createRooms } from './rooms/room-service.ts';
import { roomRoutes } from './rooms/room-routes.ts';
import { roomSnapshots } from './rooms/room-store.ts';
import { createRtcTokens } from './rooms/rtc-token.ts';
import { createSettings } from './settings/settings.ts';
import { keepSetting } from './settings/settings-store.ts';

export const messaging = defineService({
  name: 'messaging',
  config: messagingConfig,
  entities: [],
  migrations: new URL('../migrations/', import.meta.url),
  build: ({ config, database, internal, wakeJob }) => {
    const settings = createSettings(database);
    const people = createPeople({
      database,
      identity: internal(config.IDENTITY_URL),
      wallet: internal(config.WALLET_URL),
      avatar: `${config.PUBLIC_URL}/api/assets/avatar.svg`,
    });
    const rtcTokenOf = createRtcTokens(internal(config.CALLS_URL));
    const rooms = createRooms({ database, people, rtcTokenOf, namespace: config.ROOM_NAMESPACE });
    const messages = createMessages({ database, settings, wakePush: () => wakeJob('push') });
    const calls = createCalls({ rooms, people });

    return {
      routes: [...roomRoutes({ database, rooms }), ...messageRoutes({ messages, people, settings })],
      subscriptions: [
        on('user.changed', async (tx, user) => {
          await keepPerson(tx, user);
          if (user.deleted) await dropPushesOf(tx, user.id);
        }),
        on('balance.changed', keepBalance),
        on('devices.changed', keepDevices),
        on('setting.changed', keepSetting),
        on('call.changed', calls.hear),
      ],
      snapshots: { 'room.changed': roomSnapshots },
    };
  },
});
