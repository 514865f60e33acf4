import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { ALL_RIGHTS } from '@tutoring/shared/contract/rights';
import { CONTACT, maskOf } from '@tutoring/shared/kit/http/declare/contacts';
import type { Route } from '@tutoring/shared/kit/http/declare/route';
import { user } from '@tutoring/shared/testing/user';
import { framesOf } from '../../gateway/src/live/recipients.ts';
import { at } from '../../services/calls/test/lessons.ts';
import { person } from '../../services/calls/test/scene.ts';
import { endpoint, request, startServices, withRights, type Services } from './administrators.ts';

/* Plants contact data in every service, and looks for it in everything that administrators get. */

let all: Services;
beforeAll(async () => {
  all = await startServices();
});
afterAll(() => all.stop());

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
  'put admin/payout-batches/{id}/items/{item_id}': { status: 'paid', message: 'Confirmed' },
  'put admin/reports/{id}': { status: 'open' },
  'put admin/reviews/{id}': { hidden: false },
  'post admin/rooms/{uuid}/messages': { message: 'Hello' },
  'put admin/desk/cases/{id}': { state: 'open' },
};
const [STUDENT, TEACHER] = [51, 52];
const SEEING = ALL_RIGHTS;
const BLIND = ALL_RIGHTS.filter((right) => right !== 'contacts');
/** Ids by service and the segment of the path before them. */
const ids: Record<string, Record<string, string | number>> = {};

const pathOf = (name: string, { path }: Route) =>
  path.replace(/(\w+)\/\{\w+\}/g, (_all, noun: string) => `${noun}/${ids[name]?.[noun] ?? 0}`);

async function plantMoney() {
  for (const [id, platform] of [
    [STUDENT, 'student'],
    [TEACHER, 'teacher'],
  ] as const)
    await all.wallet.service.receive('user.changed', user(id, platform, CONTACTS));
  const deposit = await all.wallet.topUp(STUDENT, 20_000);
  await all.wallet.charge({ call: 'c1', step: 1, student: STUDENT, teacher: TEACHER, amount: 10_000 });
  const asked = { amount: 5_000, method: 'bank', account: ACCOUNT };
  const withdrawal = await all.wallet.service.api.teacher(TEACHER).post('/api/withdrawals', asked);
  const { id: paid } = (await all.wallet.service.api.teacher(TEACHER).post('/api/withdrawals', asked)).body;
  const su = all.wallet.service.api.admin('su');
  const batches = '/api/admin/payout-batches';
  const { id: batch } = (await su.post(batches, { withdrawal_ids: [paid], format: 'csv' })).body;
  for (const step of ['approve', 'export']) await su.post(`${batches}/${batch}/${step}`, {});
  const items = (await su.get(`${batches}/${batch}/items`)).body.data[0].id;
  ids['wallet'] = { deposits: deposit, withdrawals: withdrawal.body.id, users: STUDENT, batches: batch, items };
}

async function plantMessages() {
  const { service } = all.messaging;
  await all.messaging.meet(
    user(STUDENT, 'student', CONTACTS),
    user(TEACHER, 'teacher', { ...CONTACTS, email: '', unproven_email: CONTACTS.email }),
  );
  for (const api of [service.api.student(STUDENT), service.api.teacher(TEACHER)])
    await api.post('/api/support/messages', { message: 'Help' });
  const report = { user_id: TEACHER, reason: 'other', details: 'Late' };
  const reported = await service.api.student(STUDENT).post('/api/reports', report);
  const [{ uuid }] = (await service.api.admin().get('/api/admin/rooms')).body;
  const { body } = await service.api.admin().post('/api/admin/desk/casesall', { user_id: STUDENT });
  ids['messaging'] = { reports: reported.body.id, rooms: uuid, cases: body.data[0].id };
}

async function plantLessons() {
  const parties = await all.calls.pair();
  const booked = await all.calls.book(parties, '2031-03-05T09:00');
  expect(booked.body.starts_at).toBe(at('2031-03-05T09:00'));
  const { identifier, channel } = await all.calls.begin(parties);
  await all.calls.bill(parties, identifier);
  await all.calls.end('student', parties, identifier, channel);
  const review = { rating: 5, comment: 'Good' };
  const made = await all.calls.service.api.student(parties.student).post(`/api/calls/${identifier}/review`, review);
  for (const [id, platform] of [
    [parties.student, 'student'],
    [parties.teacher, 'teacher'],
  ] as const)
    await all.calls.service.receive('user.changed', person(id, platform, { ...CONTACTS, version: 2 }));
  ids['calls'] = { calls: identifier, reviews: made.body.id };
}

async function plantAccount() {
  const { id, api } = await all.identity.user({ email: CONTACTS.email, phone_number: CONTACTS.phone_number });
  expect((await api.put('/api/me', { address: CONTACTS.address })).body.address).toBe(CONTACTS.address);
  const bob = await all.identity.admin();
  ids['identity'] = { users: id, admins: bob.id, settings: 1 };
}

beforeAll(async () => {
  await plantMoney();
  await plantMessages();
  await plantLessons();
  await plantAccount();
});

const adminId = () => Number(ids['identity']!['admins']);
const ofAdmins = () => all.routes().filter(({ spec }) => spec.auth !== 'su');

test('is in no answer to an administrator without the right, and in those that declare it with the right', async () => {
  const shows = ofAdmins().filter(({ spec }) => maskOf(spec.response));
  expect(shows.length).toBeGreaterThan(8);
  for (const { name, service, spec } of shows) {
    const answer = await request(
      service,
      withRights(SEEING, adminId()),
      spec,
      pathOf(name, spec),
      BODIES[endpoint(spec)],
    );
    expect([endpoint(spec), answer.status, TRACES.test(answer.text)]).toEqual([endpoint(spec), 200, true]);
  }
  for (const { name, service, spec } of ofAdmins()) {
    const answer = await request(
      service,
      withRights(BLIND, adminId()),
      spec,
      pathOf(name, spec),
      BODIES[endpoint(spec)],
    );
    const headers = JSON.stringify([...answer.headers]);
    expect([endpoint(spec), TRACES.exec(`${headers}${answer.text}`)?.[0]]).toEqual([endpoint(spec), undefined]);
  }
  const { body } = await all.identity.api.as(withRights(BLIND)).get(`/api/admin/users/${ids['identity']!['users']}`);
  expect(body).toMatchObject({ email: 'q…@q….example', phone_number: '•••• 66', address: '', city: '' });
  const withdrawal = await all.wallet.service.api
    .as(withRights(BLIND))
    .get(`/api/admin/withdrawals/${ids['wallet']!['withdrawals']}`);
  expect(withdrawal.body).toMatchObject({ account: '•••• 7755', user: { email: 'q…@q….example' } });
});

test('cannot be found by a search without the right', async () => {
  const lists = ofAdmins().filter(({ spec }) => spec.body && 'filter_value' in spec.body.shape);
  const found = new Set<string>();
  for (const { service, spec } of lists)
    for (const filter_value of SEARCHES) {
      const seen = await request(service, withRights(SEEING), spec, spec.path, { filter_value });
      if (seen.body.total > 0) found.add(endpoint(spec));
      const blind = await request(service, withRights(BLIND), spec, spec.path, { filter_value });
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
    [all.identity, '/api/admin/usersall', 'Awa Koné'],
    [all.wallet.service, '/api/admin/depositsall', `Sam ${STUDENT}`],
    [all.wallet.service, '/api/paymentsall', `Tara ${TEACHER}`],
    [all.messaging.service, '/api/admin/reportsall', 'Tara'],
    [all.calls.service, '/api/admin/callsall', 'student'],
  ] as const)
    for (const filter_value of [name, name.toUpperCase(), name.slice(0, 2)]) {
      const { body } = await service.api.as(withRights(BLIND)).post(path, { filter_value });
      expect([path, filter_value, body.total > 0]).toEqual([path, filter_value, true]);
    }
});

test('is in no live event for administrators without the right', async () => {
  const sent = (await all.messaging.service.live()).filter(({ to }) => to === 'admins');
  expect(sent.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['support.message', 'report.created', 'desk.case']),
  );
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
  const found = ofAdmins().flatMap(({ spec }) => undeclared(spec.response).map((path) => `${endpoint(spec)} ${path}`));
  expect(found.filter((each) => !/ admin\/(?:admins|auth\/me)/.test(each))).toEqual([]);
  expect(found).toContain('get admin/admins .email');
});
