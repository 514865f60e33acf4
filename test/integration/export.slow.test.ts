import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { commands } from '@tutoring/shared/contract/commands';
import { EXPORT_PAGE } from '@tutoring/shared/kit/commands/export-page';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { send } from '@tutoring/shared/testing/client';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { startGateway, type RunningGateway } from '../../gateway/src/app.ts';
import { gatewayConfig } from '../../gateway/src/config.ts';
import { timings } from '../../gateway/src/deadlines.ts';
import { calls as callsDefinition } from '../../services/calls/src/app.ts';
import { CALLS_ENV } from '../../services/calls/test/scene.ts';
import { ownData } from '../../services/identity/src/export/export.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { messaging as messagingDefinition } from '../../services/messaging/src/app.ts';
import { startWallet } from '../../services/wallet/test/wallet.ts';
import { startLine, type Line } from './line.ts';

/* The export of a person's data from four real services, through a real gateway. */

const MANY = 2 * EXPORT_PAGE + 10;
const lines = {} as Record<'identity' | 'wallet' | 'messaging' | 'calls', Line>;
let wallet: Awaited<ReturnType<typeof startWallet>>;
let messaging: TestService;
let calls: TestService;
let identity: TestIdentity;
let gateway: RunningGateway;
type Person = Awaited<ReturnType<TestIdentity['user']>>;
let student: Person;
let teacher: Person;

beforeAll(async () => {
  // On a busy machine a page may take longer than the usual deadline, and the tests count the requests of pages.
  for (const [name, command] of Object.entries(commands)) if (name.endsWith('.export')) command.deadlineMs = 60_000;
  for (const name of ['identity', 'wallet', 'messaging', 'calls'] as const) lines[name] = await startLine();
  const urls = Object.fromEntries(Object.entries(lines).map(([name, { url }]) => [`${name.toUpperCase()}_URL`, url]));
  wallet = await startWallet(urls);
  messaging = await startTestService(messagingDefinition, {
    env: { ...urls, ROOM_NAMESPACE: CALLS_ENV.ROOM_NAMESPACE, MAILBOX_FILE: '/dev/null' },
  });
  calls = await startTestService(callsDefinition, { env: { ...CALLS_ENV, ...urls } });
  identity = await startIdentity(urls);
  lines.wallet.forwardTo(wallet.service.url);
  lines.messaging.forwardTo(messaging.url);
  lines.calls.forwardTo(calls.url);
  lines.identity.forwardTo(identity.url);
  gateway = await startGateway(
    parseConfig(gatewayConfig, { ...identity.gatewayEnvironment, ...urls }),
    createLogger('gateway', 'silent'),
    { ...timings, upstream: 60_000 },
  );
  student = await identity.user();
  teacher = await identity.user({ platform: 'teacher' });
  await fill();
  // While wallet is slow, views show the last balance that identity has received.
  await eventually('identity has one', async () => (await get('me')).body.data.solde === 5_000);
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all([identity.end(), wallet.service.stop(), messaging.stop(), calls.stop()]);
  await Promise.all(Object.values(lines).map((line) => line.stop()));
});
afterEach(async () => {
  for (const line of Object.values(lines)) line.is(() => 'pass');
  await Promise.all([identity.shiftClock(0), identity.asOwner('delete from export_count')]);
});

const get = (path: string, { token }: Person = student) =>
  send('GET', `${gateway.url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });

/** Downloads the export; retried while the services of a busy machine answer too late. */
const download = (person?: Person) => retryWhile503(() => get('me/export', person));

/** Inserts data of the two people that takes several pages of each kind. */
async function fill(): Promise<void> {
  await wallet.topUp(student.id, 5_000);
  await wallet.service.asOwner(
    `insert into transfer (kind, reference, debit_account, credit_account, amount)
     select 'call', 'call:x' || g || ':step:1', $1, $2, 7 from generate_series(1, ${MANY}) g`,
    [student.id, teacher.id],
  );
  await wallet.service.asOwner(
    `insert into deposit (user_id, amount, currency, status, provider) select $1, 100 + g, 'XOF', 'failed', 'sandbox'
     from generate_series(1, ${MANY}) g`,
    [student.id],
  );
  await wallet.service.asOwner(
    `insert into withdrawal (user_id, amount, currency, status, method, account)
     select $1, 100 + g, 'XOF', 'canceled', 'bank', 'SN-1' from generate_series(1, ${MANY}) g`,
    [teacher.id],
  );
  await calls.asOwner(`insert into service (name, iterator, base_cost, iterator_cost) values ('EXPORT', 60, 0, 50)`);
  await calls.asOwner(
    `insert into call (state, call_type, channel, student_id, teacher_id, service_id, ring_expires_at, settled)
     select 'missed', 'audio', gen_random_uuid(), $1, $2, (select max(id) from service), app_now(), true
     from generate_series(1, ${MANY})`,
    [student.id, teacher.id],
  );
  await student.api.put(`/api/favourites/${teacher.id}`);
  await calls.asOwner(
    `insert into booking (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked)
     select $1, $2, now() + g * interval '1 day', now() + g * interval '1 day' + interval '1 hour', 'UTC', 'video',
       'confirmed', 'teacher' from generate_series(1, ${MANY}) g`,
    [student.id, teacher.id],
  );
  const opened = await messaging.api.student(student.id).post('/api/rooms', { teacher_id: teacher.id });
  const room = (opened.body as { uuid: string }).uuid;
  const written = await messaging.asOwner(
    `insert into message (room_uuid, sender_id, message, type, created_at)
     select $1, case when g % 2 = 0 then $2::bigint else $3 end, 'No. ' || g, 'message', '2024-01-01'
     from generate_series(1, ${2 * MANY}) g returning id`,
    [room, student.id, teacher.id],
  );
  const last = Number(written.at(-1)!['id']);
  await messaging.asOwner(
    'update room set student_last_id = $2::bigint, teacher_last_id = $2::bigint - 1 where uuid = $1',
    [room, last],
  );
  await messaging.asOwner(
    `insert into room (uuid, student_id, teacher_id) select gen_random_uuid(), $1, 1000 + g from generate_series(1, ${MANY}) g`,
    [student.id],
  );
  await messaging.asOwner(
    `insert into user_copy select (jsonb_populate_record(u, jsonb_build_object('id', 1000 + g))).*
     from user_copy u, generate_series(1, ${MANY}) g where u.id = $1`,
    [teacher.id],
  );
  await messaging.asOwner(
    `insert into file (key, owner_id, name, type, content_type, size, state)
     values ('k1', $1, 'x.pdf', 'file', 'application/octet-stream', 9, 'visible'),
       ('k2', $1, 'gone.pdf', 'file', 'application/octet-stream', 9, 'removed'),
       ('k3', $2, 'y.pdf', 'file', 'application/octet-stream', 9, 'visible')`,
    [student.id, teacher.id],
  );
  const support = await messaging.api.student(student.id).get('/api/support/messages');
  expect([opened.status, support.status]).toEqual([200, 200]);
  await messaging.api.student(student.id).post('/api/support/messages', { message: 'Help!' });
}

type Row = Record<string, unknown>;

/** All pages of a list of the public interface. */
async function allOf(path: string, cursor: string, person: Person): Promise<Row[]> {
  const found: Row[] = [];
  for (let before = ''; ;) {
    const { data } = (await get(`${path}?limit=100${before}`, person)).body as { data: Row[] };
    found.push(...data);
    if (data.length < 100) return found;
    before = `&before=${String(data.at(-1)![cursor])}`;
  }
}

type OwnRoom = Row & { uuid: string; messages: Row[] };

describe('GET api/me/export', () => {
  test("contains everything that the person's own routes show, as a download", async () => {
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="own-data-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const data = ownData.strict().parse(answer.body);
    expect(Object.keys(answer.body as Row)).toEqual(Object.keys(ownData.shape));
    const { favourites, ...profile } = data.profile;
    expect(profile).toEqual((await get('me')).body.data);
    expect(favourites).toMatchObject([{ teacher_id: teacher.id, teacher_name: teacher.view.name }]);
    const statement = await allOf('wallet/transactions', 'id', student);
    expect(statement).toHaveLength(MANY + 1);
    expect(data.statement).toEqual(statement);
    expect(data.calls).toEqual(await allOf('calls', 'identifier', student));
    expect(data.calls).toHaveLength(MANY);
    expect(data.deposits).toEqual(await allOf('deposits', 'id', student));
    expect(data.deposits).toHaveLength(MANY + 1);
    expect([data.withdrawals, data.disputes, data.refunds, data.reviews]).toEqual([[], [], [], []]);
    const booked = await allOf('bookings', 'id', student);
    expect(data.bookings.map(({ id }) => id)).toEqual(booked.map(({ id }) => id).reverse());
    const [session] = (await get('auth/sessions')).body.data as Row[];
    expect(data.sessions).toEqual([{ ...session, last_used_at: data.sessions[0]!.last_used_at }]);
    expect(data.files.map(({ name, url }) => [name, url])).toEqual([['x.pdf', 'http://public.test/api/files/k1']]);
  });

  test("contains the rooms with the person's own messages, the support room last", async () => {
    const { rooms } = (await download()).body as { rooms: OwnRoom[] };
    const listed = await allOf('rooms', 'uuid', student);
    const partners = rooms.slice(0, -1).map(({ messages: _own, ...room }) => room);
    const byUuid = (a: Row, b: Row) => (String(a['uuid']) < String(b['uuid']) ? -1 : 1);
    expect(partners).toEqual(listed.sort(byUuid));
    expect(partners).toHaveLength(MANY + 1);
    const spoken = rooms.find(({ messages }) => messages.length > 1)!;
    expect(spoken.messages.map(({ sender_id: id }) => id)).toEqual(Array(MANY).fill(student.id));
    const [newest] = (await get(`rooms/${spoken.uuid}/messages?limit=1`)).body.data as Row[];
    expect(spoken.messages.at(-1)).toEqual(newest);
    const {
      messages: [asked],
      ...supportRoom
    } = rooms.at(-1)!;
    const [shown] = (await get('support/messages')).body.data as Row[];
    expect(asked).toEqual({ ...shown, time: asked!['time'] });
    const { messages: _all, ...support } = (await messaging.api.admin().get(`/api/admin/rooms/${rooms.at(-1)!.uuid}`))
      .body as OwnRoom;
    expect(supportRoom).toEqual(support);
  });

  test("contains only the caller's data: withdrawals of the teacher, and the teacher's side of shared data", async () => {
    const data = (await download(teacher)).body as Record<string, Row[]> & { rooms: OwnRoom[] };
    expect(data['withdrawals']).toEqual(await allOf('withdrawals', 'id', teacher));
    expect(data['withdrawals']).toHaveLength(MANY);
    expect(data['statement']).toEqual(await allOf('wallet/transactions', 'id', teacher));
    expect(data['deposits']).toEqual([]);
    expect(data.rooms).toHaveLength(1);
    expect(data.rooms[0]!.messages.map(({ sender_id: id }) => id)).toEqual(Array(MANY).fill(teacher.id));
    expect(data.rooms[0]!['last_message']).toEqual(data.rooms[0]!.messages.at(-1));
  });

  test.each(['wallet', 'messaging', 'calls'] as const)('answers 503, uncounted, while %s is down', async (name) => {
    lines[name].is(() => 'cut');
    const body = { success: false, statusCode: 503, message: 'A service is unavailable. Please try again.' };
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect(await get('me/export')).toMatchObject({ status: 503, body });
    lines[name].is(() => 'pass');
    expect((await download()).status).toBe(200);
  });

  const laterPages = [
    ['wallet', /\/transactions\?after=/],
    ['messaging', /\/messages/],
    ['messaging', /\/rooms\?after=/],
    ['calls', /\/calls\?after=/],
  ] as const;
  test.each(laterPages)('breaks off the download when %s goes down in the middle (%s)', async (name, path) => {
    lines[name].is((asked) => (path.test(asked) ? 'cut' : 'pass'));
    const answer = await fetch(`${gateway.url}/api/me/export`, {
      headers: { authorization: `Bearer ${student.token}` },
    });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  test.each(laterPages)('completes the download after a short outage of %s (%s)', async (name, path) => {
    const downloaded = async () => {
      const { sessions: _used, ...data } = (await download()).body as Row;
      return JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'time' ? undefined : value))) as Row;
    };
    const undisturbed = await downloaded();
    let cuts = 0;
    lines[name].is((asked) => (path.test(asked) && (cuts += 1) <= 2 ? 'cut' : 'pass'));
    expect(await downloaded()).toEqual(undisturbed);
    expect(cuts).toBeGreaterThan(2);
  });

  test('reads the other services in pages', async () => {
    const { status } = await retryWhile503(() => {
      for (const line of Object.values(lines)) line.asked.length = 0;
      return get('me/export');
    });
    expect(status).toBe(200);
    expect(lines.wallet.asked.filter((path) => path.includes('/transactions'))).toHaveLength(3);
    expect(lines.messaging.asked.filter((path) => path.includes('/rooms?') || path.endsWith('/rooms'))).toHaveLength(3);
  });

  test('answers 429 after five exports a day, also for concurrent ones; the next day it works again', async () => {
    // A new person at noon, so that the day does not end during the test. Exports that waited too long are repeated.
    const person = await identity.user();
    const noon = 36 * 3_600 - (Math.floor(Date.now() / 1_000) % 86_400);
    await identity.shiftClock(noon);
    const many = await Promise.all(Array.from({ length: 12 }, () => retryWhile503(() => get('me/export', person))));
    expect(many.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
    const { status, body, headers } = await get('me/export', person);
    expect([status, body]).toEqual([429, { message: 'Too Many Attempts.' }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await download()).status).toBe(200);
    await identity.shiftClock(noon + 86_400);
    expect((await download(person)).status).toBe(200);
  });

  test('runs four exports at once, one per person; a fifth person and a second export of a person wait in the queue', async () => {
    const [first, fifth, ...others] = await Promise.all(Array.from({ length: 5 }, () => identity.user()));
    const gate = Promise.withResolvers<'pass'>();
    const toCalls = () => lines.calls.asked.filter((path) => path.includes('/calls')).length;
    lines.calls.is((path) => (path.includes('/calls') ? gate.promise : 'pass'));
    lines.calls.asked.length = 0;
    const inFlight = [first, ...others].map((person) => get('me/export', person));
    await eventually('four are in flight', () => toCalls() === 4);
    const total = 'select sum(exports)::int as sum from export_count';
    const counted = async () => (await identity.rows<{ sum: number }>(total))[0]!.sum;
    const waiting = [fifth, first].map((person) => retryWhile503(() => get('me/export', person)));
    await eventually('the other two are counted and wait', async () => (await counted()) === 6);
    expect(toCalls()).toBe(4);
    gate.resolve('pass');
    const answers = await Promise.all([...inFlight, ...waiting]);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  test('answers 401 without a token, as the HTTP status', async () => {
    expect((await send('GET', `${gateway.url}/api/me/export`)).status).toBe(401);
  });
});
