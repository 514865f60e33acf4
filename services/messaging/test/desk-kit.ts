import type { EventData } from '@tutoring/shared/contract/events';
import type { ServiceOptions } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { startFakeService, startMessaging, type Messaging } from './kit.ts';

/** `admin.changed` of an administrator with the role `support`. */
export const clerk = (
  id: number,
  name: string,
  changes: Partial<EventData<'admin.changed'>> = {},
): EventData<'admin.changed'> => ({
  id,
  name,
  email: `${name}@example.com`,
  status: 'active',
  level: 'default',
  roles: ['support'],
  version: 1,
  created_at: '2026-01-01T00:00:00.000000Z',
  updated_at: '2026-01-01T00:00:00.000000Z',
  ...changes,
});

export interface ShownCase {
  id: number;
  room_uuid: string;
  state: string;
  assignee: { id: number; name: string } | null;
  version: number;
  [key: string]: unknown;
}

/** A service with two clerks, Ada (1) and Bob (2), and people who are made when they are needed. */
export async function startDesk(options: ServiceOptions = {}) {
  // Identity, which knows nobody but those who are announced.
  const identity = await startFakeService({});
  const messaging: Messaging = await startMessaging({ IDENTITY_URL: identity.url }, undefined, options);
  const { service } = messaging;
  let lastId = 1_000;
  await service.receive('admin.changed', clerk(1, 'Ada'));
  await service.receive('admin.changed', clerk(2, 'Bob'));
  const admin = (id: number, name: string) =>
    service.api.as({ kind: 'admin', id, name, level: 'default', tokenId: id, rights: ['desk'] });
  const ada = admin(1, 'Ada');
  const casesOf = async (id: number): Promise<ShownCase[]> =>
    (await ada.post('/api/admin/desk/casesall', { user_id: id, sort: 'newest' })).body.data;
  return {
    messaging,
    service,
    ada,
    bob: admin(2, 'Bob'),
    as: admin,
    su: service.api.as({ kind: 'admin', id: 9, name: 'Sue', level: 'su', tokenId: 9 }),
    casesOf,
    /** A new student. */
    async person() {
      const id = (lastId += 1);
      await messaging.meet(user(id, 'student'));
      return { id, api: service.api.student(id) };
    },
    /** A student who has written. */
    async asks(message = 'Help') {
      const person = await this.person();
      await person.api.post('/api/support/messages', { message });
      const [found] = await casesOf(person.id);
      return { ...person, case: found!, path: `/api/admin/desk/cases/${found!.id}` };
    },
    reply: (uuid: string, message: object = { message: 'Hello' }, who = ada) =>
      who.post(`/api/admin/rooms/${uuid}/messages`, message),
    /** The live events of a case, oldest first. */
    caseEvents: async (id: number) =>
      (await service.live()).filter(({ event, data }) => event === 'desk.case' && data['id'] === id),
    async stop() {
      await messaging.stop();
      await identity.stop();
    },
  };
}

export type Desk = Awaited<ReturnType<typeof startDesk>>;
