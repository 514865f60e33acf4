import type { TestResponse } from '@tutoring/shared/testing/client';
import type { TestService } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { eventually } from '@tutoring/shared/testing/wait';
import { startLessons } from '../../services/calls/test/lessons.ts';
import { startIdentity } from '../../services/identity/test/identity.ts';
import { startFakeService, startMessaging, type Messaging } from '../../services/messaging/test/kit.ts';
import { startWallet, type Wallet } from '../../services/wallet/test/wallet.ts';

let last = 100;

const METHODS = [{ method: 'bank', kind: 'text', name: 'Bank', country: null }];

const UNCONSUMED = `select from outbox o where name = 'admin.acted'
  and not exists (select from inbox i where i.event_id = o.event_id)`;

/** Starts all services with their databases behind a proxy. `people`: answers of identity to wallet. */
export async function startServices(databaseThrough: (url: string) => string) {
  const options = { databaseThrough, jobless: true };
  const people = await startFakeService({});
  const identity = await startIdentity({}, options);
  const wallet = await startWallet({ IDENTITY_URL: people.url, PAYOUT_METHODS: JSON.stringify(METHODS) }, options);
  const lessons = await startLessons({}, options);
  const messaging = await startMessaging({ IDENTITY_URL: lessons.identity.url }, undefined, options);
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 100, version: 1 });
  await wallet.service.receive('setting.changed', { name: 'deposit_refunds', value: 1, version: 1 });
  return {
    ...{ people, identity, wallet, lessons, messaging },
    /** Waits until identity has consumed its own events: their transactions could be cut instead of a request's. */
    consumed: () =>
      eventually('identity has consumed its events', async () => (await identity.rows(UNCONSUMED)).length === 0),
    async stop() {
      await Promise.all([identity.end(), wallet.stop(), lessons.stop(), messaging.stop()]);
      await people.stop();
    },
  };
}

export type Services = Awaited<ReturnType<typeof startServices>>;

/**
 * A request to an idempotent route, and the number of its effects. `scope` is stored with the key; another release that
 * runs at the same time must find it.
 */
export interface Case {
  service: TestService;
  scope: string;
  post: (headers?: Record<string, string>) => Promise<TestResponse>;
  effects: () => Promise<number>;
}

const counting = (service: TestService, from: string, parameter: unknown) => async () => {
  const [found] = await service.rows<{ count: number }>(`select count(*) from ${from}`, [parameter]);
  return found!.count;
};

/** A student, and a teacher who has earned 500 in the call. */
async function paidCall(wallet: Wallet) {
  const [student, teacher] = [(last += 1), (last += 1)];
  await wallet.topUp(student, 1_000);
  const call = `lost-${student}`;
  await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
  return { student, teacher, call };
}

/** A room of two new people. */
const room = (messaging: Messaging) => messaging.pair((last += 1), (last += 1));

export const CASES: Record<string, (services: Services) => Promise<Case>> = {
  'post /api/admin/invitations': async ({ identity }) => {
    const email = `invited${(last += 1)}@example.com`;
    const body = { email, name: 'Ada Mensah', roles: ['support'] };
    return {
      service: identity,
      scope: 'POST /api/admin/invitations',
      post: (headers) => identity.api.admin('su').post('/api/admin/invitations', body, headers),
      effects: counting(identity, 'admin_invitation where email = $1', email),
    };
  },
  'post /api/deposits': async ({ wallet }) => {
    const student = (last += 1);
    return {
      service: wallet.service,
      scope: 'POST /api/deposits',
      post: (headers) => wallet.service.api.student(student).post('/api/deposits', { amount: 300 }, headers),
      effects: counting(wallet.service, 'deposit where user_id = $1', student),
    };
  },
  'post /api/withdrawals': async ({ wallet }) => {
    const { teacher } = await paidCall(wallet);
    return {
      service: wallet.service,
      scope: 'POST /api/withdrawals',
      post: (headers) => wallet.withdraw(teacher, 300, headers),
      effects: counting(wallet.service, 'withdrawal where user_id = $1', teacher),
    };
  },
  'post /api/admin/calls/{identifier}/refund': async ({ wallet }) => {
    const { call } = await paidCall(wallet);
    const path = `/api/admin/calls/${call}/refund`;
    return {
      service: wallet.service,
      scope: `POST /api/admin/calls/${call}/refund`,
      post: (headers) => wallet.service.api.admin('su').post(path, { amount: 200 }, headers),
      effects: counting(
        wallet.service,
        `transfer where kind = 'refund' and starts_with(reference, $1)`,
        `call:${call}:`,
      ),
    };
  },
  'post /api/bookings': async ({ lessons }) => {
    const parties = await lessons.pair();
    const body = {
      teacher_id: parties.teacher,
      starts_at: '2031-05-01T09:00:00.000000Z',
      minutes: 60,
      call_type: 'video',
    };
    return {
      service: lessons.service,
      scope: 'POST /api/bookings',
      post: (headers) => lessons.student(parties).post('/api/bookings', body, headers),
      effects: counting(lessons.service, 'booking where student_id = $1', parties.student),
    };
  },
  'post /api/calls/{identifier}/review': async ({ lessons }) => {
    const parties = lessons.party();
    const { identifier, channel } = await lessons.begin(parties);
    await lessons.bill(parties, identifier);
    await lessons.end('student', parties, identifier, channel);
    const path = `/api/calls/${identifier}/review`;
    return {
      service: lessons.service,
      scope: `POST /api/calls/${identifier}/review`,
      post: (headers) => lessons.student(parties).post(path, { rating: 5 }, headers),
      effects: counting(lessons.service, 'review where student_id = $1', parties.student),
    };
  },
  'post /api/reports': async ({ messaging }) => {
    const reporter = (last += 1);
    const reported = (last += 1);
    await messaging.meet(user(reporter, 'student'), user(reported, 'teacher'));
    const body = { user_id: reported, reason: 'abuse' };
    return {
      service: messaging.service,
      scope: 'POST /api/reports',
      post: (headers) => messaging.service.api.student(reporter).post('/api/reports', body, headers),
      effects: counting(messaging.service, 'report where reporter_id = $1', reporter),
    };
  },
  'post /api/rooms/{uuid}/messages': async ({ messaging }) => {
    const { uuid, student } = await room(messaging);
    // The scope has the uuid in lower case.
    const path = `/api/rooms/${uuid.toUpperCase()}/messages`;
    return {
      service: messaging.service,
      scope: `POST /api/rooms/${uuid}/messages`,
      post: (headers) => student.post(path, { message: 'Hello' }, headers),
      effects: counting(messaging.service, 'message where room_uuid = $1', uuid),
    };
  },
  'post /api/support/messages': async ({ messaging }) => {
    const student = (last += 1);
    await messaging.meet(user(student, 'student'));
    return {
      service: messaging.service,
      scope: 'POST /api/support/messages',
      post: (headers) =>
        messaging.service.api.student(student).post('/api/support/messages', { message: 'x' }, headers),
      effects: counting(messaging.service, 'support_message where sender_id = $1', student),
    };
  },
  'post /api/admin/rooms/{uuid}/messages': async ({ messaging }) => {
    const student = (last += 1);
    await messaging.meet(user(student, 'student'));
    await messaging.service.api.student(student).get('/api/support/messages');
    const [opened] = await messaging.service.rows<{ uuid: string }>(
      'select uuid from support_room where user_id = $1',
      [student],
    );
    const path = `/api/admin/rooms/${opened!.uuid.toUpperCase()}/messages`;
    return {
      service: messaging.service,
      scope: `POST /api/admin/rooms/${opened!.uuid}/messages`,
      post: (headers) => messaging.service.api.admin().post(path, { message: 'x' }, headers),
      effects: counting(messaging.service, 'support_message where room_uuid = $1', opened!.uuid),
    };
  },
  'post /api/deposits/{id}/refunds': async ({ wallet }) => {
    const student = (last += 1);
    const deposit = await wallet.topUp(student, 1_000);
    const path = `/api/deposits/${deposit}/refunds`;
    return {
      service: wallet.service,
      scope: `POST ${path}`,
      post: (headers) => wallet.service.api.student(student).post(path, { amount: 200 }, headers),
      effects: counting(wallet.service, 'deposit_refund where user_id = $1', student),
    };
  },
  'post /api/payout-accounts': async ({ wallet, people }) => {
    const teacher = (last += 1);
    people.answers[`/internal/users/${teacher}/proof`] = {};
    const body = { method: 'bank', account: 'SN-1', holder_name: 'Kossi Mensah', current_password: 'secret' };
    return {
      service: wallet.service,
      scope: 'POST /api/payout-accounts',
      post: (headers) => wallet.service.api.teacher(teacher).post('/api/payout-accounts', body, headers),
      effects: counting(wallet.service, 'payout_account where user_id = $1', teacher),
    };
  },
  'post /api/admin/payout-batches': async ({ wallet }) => {
    const { teacher } = await paidCall(wallet);
    const { id } = (await wallet.withdraw(teacher, 300)).body;
    const body = { withdrawal_ids: [id], format: 'csv' };
    return {
      service: wallet.service,
      scope: 'POST /api/admin/payout-batches',
      post: (headers) => wallet.service.api.admin('su').post('/api/admin/payout-batches', body, headers),
      effects: counting(wallet.service, 'payout_item where withdrawal_id = $1', id),
    };
  },
  'post /api/admin/desk/cases': async ({ messaging }) => {
    const student = (last += 1);
    await messaging.meet(user(student, 'student'));
    const body = { user_id: student, message: 'Hello' };
    return {
      service: messaging.service,
      scope: 'POST /api/admin/desk/cases',
      post: (headers) => messaging.service.api.admin().post('/api/admin/desk/cases', body, headers),
      effects: counting(messaging.service, 'support_case where user_id = $1', student),
    };
  },
  'post /api/admin/desk/cases/{id}/notes': async ({ messaging }) => {
    const student = (last += 1);
    await messaging.meet(user(student, 'student'));
    const clerk = messaging.service.api.admin();
    const { id } = (await clerk.post('/api/admin/desk/cases', { user_id: student, message: 'Hello' })).body;
    const path = `/api/admin/desk/cases/${id}/notes`;
    return {
      service: messaging.service,
      scope: `POST ${path}`,
      post: (headers) => clerk.post(path, { text: 'Paid twice' }, headers),
      effects: counting(messaging.service, 'support_note where case_id = $1', id),
    };
  },
  'post /api/admin/desk/replies': async ({ messaging }) => {
    const body = { shortcut: `hello${(last += 1)}`, text_en: 'Hello', text_fr: 'Bonjour' };
    return {
      service: messaging.service,
      scope: 'POST /api/admin/desk/replies',
      post: (headers) => messaging.service.api.admin().post('/api/admin/desk/replies', body, headers),
      effects: counting(messaging.service, 'support_reply where shortcut = $1', body.shortcut),
    };
  },
};
