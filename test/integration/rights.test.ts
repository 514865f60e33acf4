import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { liveEvents } from '@tutoring/shared/contract/live-events';
import { ALL_RIGHTS, type Right } from '@tutoring/shared/contract/rights';
import { CONTACT, maskOf } from '@tutoring/shared/kit/http/declare/contacts';
import { isPublic, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { TestService } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { framesOf } from '../../gateway/src/live/recipients.ts';
import { at, startLessons, type Lessons } from '../../services/calls/test/lessons.ts';
import { person } from '../../services/calls/test/scene.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { startMessaging, type Messaging } from '../../services/messaging/test/kit.ts';
import { startWallet, type Wallet } from '../../services/wallet/test/wallet.ts';

/* The rights of administrators' routes and live events, and contact data, through the four services. */

let identity: TestIdentity;
let wallet: Wallet;
let messaging: Messaging;
let calls: Lessons;
let services: Record<string, TestService>;
beforeAll(async () => {
  identity = await startIdentity();
  wallet = await startWallet();
  messaging = await startMessaging();
  calls = await startLessons();
  services = { identity, wallet: wallet.service, messaging: messaging.service, calls: calls.service };
});
afterAll(async () => {
  await Promise.all([identity.end(), wallet.stop(), messaging.stop(), calls.stop()]);
});

const endpoint = ({ method, path }: Route) => `${method} ${path.replace(/^\/api\//, '')}`;
/** Every route that administrators may call, with its service. */
const routes = () =>
  Object.entries(services).flatMap(([name, service]) =>
    service.service.parts.routes
      .filter((spec) => isPublic(spec) && ['admin', 'su', 'member'].includes(spec.auth))
      .map((spec) => ({ name, service, spec })),
  );
const withRights = (rights: readonly Right[], id = 900): AdminCaller => ({
  kind: 'admin',
  id,
  name: 'Ada',
  level: 'default',
  tokenId: 1,
  rights: [...rights],
});
const call = (service: TestService, caller: AdminCaller, spec: Route, path: string, body: object = {}) => {
  const { get, ...others } = service.api.as(caller);
  return spec.method === 'get' ? get(path) : others[spec.method](path, body);
};

test('every route for administrators has its right', () => {
  const byRight = Map.groupBy(
    routes().filter(({ spec }) => spec.auth !== 'su'),
    ({ spec }) => [spec.right, spec.orRight].filter(Boolean).join(' or '),
  );
  const declared = [...byRight].map(([right, of]) => [right, of.map(({ spec }) => endpoint(spec)).toSorted()]);
  expect(Object.fromEntries(declared)).toEqual({
    any: [
      'delete admin/auth/totp',
      'get admin/admins',
      'get admin/admins/{id}',
      'get admin/auth/me',
      'get admin/auth/rights',
      'get admin/auth/totp',
      'get admin/roles',
      'get admin/settings/{id}',
      'post admin/auth/logout',
      'post admin/auth/totp',
      'post admin/settingsall',
      'put admin/auth/me',
      'put admin/auth/totp',
    ],
    people: ['get admin/users/{id}', 'post admin/usersall'],
    standing: ['put admin/users/{id}'],
    trust: [
      'get admin/reports/{id}',
      'post admin/reportsall',
      'post admin/reviewsall',
      'put admin/reports/{id}',
      'put admin/reviews/{id}',
    ],
    desk: [
      'get admin/rooms',
      'get admin/rooms/{uuid}',
      'post admin/rooms/{uuid}/files',
      'post admin/rooms/{uuid}/messages',
    ],
    lessons: ['get admin/calls/{identifier}', 'post admin/bookingsall', 'post admin/callsall'],
    money: [
      'get admin/deposits/{id}',
      'get admin/users/{id}/wallet',
      'get admin/withdrawals/{id}',
      'post admin/depositsall',
      'post admin/withdrawalsall',
      'post paymentsall',
    ],
    'payout or approve': ['put admin/withdrawals/{id}'],
    figures: ['get admin/stats', 'get admin/stats/daily'],
  });
  const known: (string | undefined)[] = [...ALL_RIGHTS, 'any', undefined];
  expect(routes().filter(({ spec }) => !known.includes(spec.right) || !known.includes(spec.orRight))).toEqual([]);
  const all = Object.values(services).flatMap((service) => service.service.parts.routes.filter(isPublic));
  const unchecked = all.filter(({ path, auth }) => path.startsWith('/api/admin/') && !['admin', 'su'].includes(auth));
  expect(unchecked.map(endpoint).toSorted()).toEqual([
    'post admin/auth/invitations/accept',
    'post admin/auth/login',
    'post admin/auth/reset-password',
    'post admin/auth/reset-password-send-code',
  ]);
});

test('every route for administrators refuses one who lacks only its right, and lets one with only that right pass', async () => {
  for (const { service, spec } of routes()) {
    const { right, orRight } = spec;
    const path = spec.path.replaceAll(/\{\w+\}/g, '0');
    const refused = [403, { code: 'forbidden', message: 'Unauthorized access' }];
    const others = ALL_RIGHTS.filter((each) => each !== right && each !== orRight);
    const answer = await call(service, withRights(others), spec, path);
    const isOpen = spec.auth !== 'su' && right === 'any';
    if (!isOpen) expect([endpoint(spec), answer.status, answer.body]).toEqual([endpoint(spec), ...refused]);
    if (spec.auth === 'su') continue;
    for (const one of right === 'any' ? [undefined] : [right, ...(orRight ? [orRight] : [])]) {
      const { status } = await call(service, withRights(one ? [one as Right] : []), spec, path);
      expect([endpoint(spec), status]).not.toEqual([endpoint(spec), 403]);
    }
  }
});

test('live events for administrators have the right of what they are about', () => {
  const withRight = Object.entries(liveEvents).flatMap(([name, { right }]) =>
    right === undefined ? [] : [[name, right]],
  );
  expect(Object.fromEntries(withRight)).toEqual({
    'message.read': 'desk',
    'room.read': 'desk',
    'support.message': 'desk',
    'report.created': 'trust',
  });
});

describe('contact data', () => {
  const CONTACTS = {
    email: 'qzcanary.person@qzdomain.example',
    phone_number: '+2250799887766',
    address: '7 qzaddress street',
  };
  const ACCOUNT = 'QZACCOUNT-99887755';
  const TRACES = /qzcanary|qzdomain|99887766|99887755|qzaddress|QZACCOUNT/i;
  const SEARCHES = [
    ...Object.values(CONTACTS),
    'qzcanary',
    'qzdomain.ex',
    'qz',
    '+225 07 99 88 77 66',
    '0799887766',
    '887766',
    ACCOUNT,
    'qz account 9988 7755',
    '99887755',
    'qzaddress',
  ];
  const BODIES: Record<string, object> = {
    'put admin/withdrawals/{id}': { status: 'pending' },
    'put admin/reports/{id}': { status: 'open' },
    'put admin/reviews/{id}': { hidden: false },
    'post admin/rooms/{uuid}/messages': { message: 'Hello' },
  };
  const [STUDENT, TEACHER] = [51, 52];
  const SEEING = ALL_RIGHTS;
  const BLIND = ALL_RIGHTS.filter((right) => right !== 'contacts');
  /** Ids by service and the segment of the path before them. */
  const ids: Record<string, Record<string, string | number>> = {};

  const pathOf = (name: string, { path }: Route) =>
    path.replace(/(\w+)\/\{\w+\}/, (_all, noun: string) => `${noun}/${ids[name]?.[noun] ?? 0}`);

  async function plantMoney() {
    for (const [id, platform] of [
      [STUDENT, 'student'],
      [TEACHER, 'teacher'],
    ] as const)
      await wallet.service.receive('user.changed', user(id, platform, CONTACTS));
    const deposit = await wallet.topUp(STUDENT, 20_000);
    await wallet.charge({ call: 'c1', step: 1, student: STUDENT, teacher: TEACHER, amount: 10_000 });
    const asked = { amount: 5_000, method: 'bank', account: ACCOUNT };
    const withdrawal = await wallet.service.api.teacher(TEACHER).post('/api/withdrawals', asked);
    ids['wallet'] = { deposits: deposit, withdrawals: withdrawal.body.id, users: STUDENT };
  }

  async function plantMessages() {
    const { service } = messaging;
    await messaging.meet(
      user(STUDENT, 'student', CONTACTS),
      user(TEACHER, 'teacher', { ...CONTACTS, email: '', unproven_email: CONTACTS.email }),
    );
    for (const api of [service.api.student(STUDENT), service.api.teacher(TEACHER)])
      await api.post('/api/support/messages', { message: 'Help' });
    const report = { user_id: TEACHER, reason: 'other', details: 'Late' };
    const reported = await service.api.student(STUDENT).post('/api/reports', report);
    const [{ uuid }] = (await service.api.admin().get('/api/admin/rooms')).body;
    ids['messaging'] = { reports: reported.body.id, rooms: uuid };
  }

  async function plantLessons() {
    const parties = await calls.pair();
    const booked = await calls.book(parties, '2031-03-05T09:00');
    expect(booked.body.starts_at).toBe(at('2031-03-05T09:00'));
    const { identifier, channel } = await calls.begin(parties);
    await calls.bill(parties, identifier);
    await calls.end('student', parties, identifier, channel);
    const review = { rating: 5, comment: 'Good' };
    const made = await calls.service.api.student(parties.student).post(`/api/calls/${identifier}/review`, review);
    for (const [id, platform] of [
      [parties.student, 'student'],
      [parties.teacher, 'teacher'],
    ] as const)
      await calls.service.receive('user.changed', person(id, platform, { ...CONTACTS, version: 2 }));
    ids['calls'] = { calls: identifier, reviews: made.body.id };
  }

  async function plantAccount() {
    const { id, api } = await identity.user({ email: CONTACTS.email, phone_number: CONTACTS.phone_number });
    expect((await api.put('/api/me', { address: CONTACTS.address })).body.address).toBe(CONTACTS.address);
    const bob = await identity.admin();
    ids['identity'] = { users: id, admins: bob.id, settings: 1 };
  }

  beforeAll(async () => {
    await plantMoney();
    await plantMessages();
    await plantLessons();
    await plantAccount();
  });

  const adminId = () => Number(ids['identity']!['admins']);
  const ofAdmins = () => routes().filter(({ spec }) => spec.auth !== 'su');

  test('is in no answer to an administrator without the right, and in those that declare it with the right', async () => {
    const shows = ofAdmins().filter(({ spec }) => maskOf(spec.response));
    expect(shows.length).toBeGreaterThan(8);
    for (const { name, service, spec } of shows) {
      const answer = await call(
        service,
        withRights(SEEING, adminId()),
        spec,
        pathOf(name, spec),
        BODIES[endpoint(spec)],
      );
      expect([endpoint(spec), answer.status, TRACES.test(answer.text)]).toEqual([endpoint(spec), 200, true]);
    }
    for (const { name, service, spec } of ofAdmins()) {
      const answer = await call(
        service,
        withRights(BLIND, adminId()),
        spec,
        pathOf(name, spec),
        BODIES[endpoint(spec)],
      );
      const headers = JSON.stringify([...answer.headers]);
      expect([endpoint(spec), TRACES.exec(`${headers}${answer.text}`)?.[0]]).toEqual([endpoint(spec), undefined]);
    }
    const { body } = await identity.api.as(withRights(BLIND)).get(`/api/admin/users/${ids['identity']!['users']}`);
    expect(body).toMatchObject({ email: 'q…@q….example', phone_number: '•••• 66', address: '', city: '' });
    const withdrawal = await wallet.service.api
      .as(withRights(BLIND))
      .get(`/api/admin/withdrawals/${ids['wallet']!['withdrawals']}`);
    expect(withdrawal.body).toMatchObject({ account: '•••• 7755', user: { email: 'q…@q….example' } });
  });

  test('cannot be found by a search without the right', async () => {
    const lists = ofAdmins().filter(({ spec }) => spec.body && 'filter_value' in spec.body.shape);
    const found = new Set<string>();
    for (const { service, spec } of lists)
      for (const filter_value of SEARCHES) {
        const seen = await call(service, withRights(SEEING), spec, spec.path, { filter_value });
        if (seen.body.total > 0) found.add(endpoint(spec));
        const blind = await call(service, withRights(BLIND), spec, spec.path, { filter_value });
        const of = [endpoint(spec), filter_value];
        expect([...of, blind.status, blind.body.total, blind.body.data]).toEqual([...of, 200, 0, []]);
      }
    expect([...found].toSorted()).toEqual([
      'post admin/bookingsall',
      'post admin/callsall',
      'post admin/depositsall',
      'post admin/reportsall',
      'post admin/reviewsall',
      'post admin/usersall',
      'post admin/withdrawalsall',
      'post paymentsall',
    ]);
  });

  test('names are found without the right', async () => {
    for (const [service, path, name] of [
      [identity, '/api/admin/usersall', 'Awa Koné'],
      [wallet.service, '/api/admin/depositsall', `Sam ${STUDENT}`],
      [wallet.service, '/api/paymentsall', `Tara ${TEACHER}`],
      [messaging.service, '/api/admin/reportsall', 'Tara'],
      [calls.service, '/api/admin/callsall', 'student'],
    ] as const)
      for (const filter_value of [name, name.toUpperCase(), name.slice(0, 2)]) {
        const { body } = await service.api.as(withRights(BLIND)).post(path, { filter_value });
        expect([path, filter_value, body.total > 0]).toEqual([path, filter_value, true]);
      }
  });

  test('is in no live event for administrators without the right', async () => {
    const sent = (await messaging.service.live()).filter(({ to }) => to === 'admins');
    expect(sent.map(({ event }) => event)).toEqual(expect.arrayContaining(['support.message', 'report.created']));
    for (const { event, data } of sent) {
      const frame = framesOf({ id: '', address: 'admins', seq: 1, name: event, data })(withRights(BLIND));
      expect([event, TRACES.exec(frame)?.[0]]).toEqual([event, undefined]);
    }
  });

  /** Paths of fields with the name of contact data that are not declared as such. */
  function undeclared(schema: z.ZodType, path = ''): string[] {
    if (schema.meta()?.[CONTACT] !== undefined) return [];
    const { shape, element, innerType, options } = schema._zod.def as {
      shape?: Record<string, z.ZodType>;
      element?: z.ZodType;
      innerType?: z.ZodType;
      options?: z.ZodType[];
    };
    if (shape) return Object.entries(shape).flatMap(([name, field]) => undeclared(field, `${path}.${name}`));
    const parts = [element, innerType, ...(options ?? [])].filter((part) => part !== undefined);
    if (parts.length > 0) return parts.flatMap((part) => undeclared(part, path));
    return /\.(?:\w*email|\w*phone\w*|\w*address|account)$/.test(path) ? [path] : [];
  }

  test('of people is declared in every answer to administrators; their own addresses are not masked', () => {
    const all = ofAdmins().flatMap(({ spec }) => undeclared(spec.response).map((path) => `${endpoint(spec)} ${path}`));
    expect(all.filter((each) => !/ admin\/(?:admins|auth\/me)/.test(each))).toEqual([]);
    expect(all).toContain('get admin/admins .email');
  });
});
