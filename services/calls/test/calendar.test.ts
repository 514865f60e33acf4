import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import ICAL from 'ical.js';
import { MAX_READS_PER_MINUTE } from '../src/calendar/calendar-cache.ts';
import { at, idOf, NOW, startLessons, type Lessons } from './lessons.ts';
import { CALLS_ENV, person, type Party } from './scene.ts';

let lessons: Lessons;
const OLD_KEY = 'b'.repeat(36);
beforeAll(async () => {
  lessons = await startLessons({ CALENDAR_KEYS: `${CALLS_ENV.CALENDAR_KEYS},old:${OLD_KEY}` });
});
afterAll(() => lessons.stop());

const FEED = '/api/bookings/feed';
const urlOf = ({ body }: { body: unknown }) => (body as { url: string }).url;
const pathOf = (url: string) => url.replace('http://public.test', '');
const open = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${lessons.service.url}${pathOf(url)}`, { headers });

/** The events of a feed, parsed by an independent library. */
async function eventsOf(url: string) {
  const answer = await open(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  const calendar = new ICAL.Component(ICAL.parse(await answer.text()) as unknown[]);
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
}

async function confirmed(parties: Party, time: string, note = '') {
  const id = idOf(await lessons.book(parties, time, { note }));
  expect((await lessons.teacher(parties).post(`/api/bookings/${id}/confirm`)).status).toBe(200);
  return id;
}

test('both participants can subscribe to confirmed lessons, whose times are correct in every time zone', async () => {
  const parties = await lessons.pair('Europe/Paris');
  const note = 'Fractions; "halves",\\ and\nquarters 🍕 '.repeat(5).trim();
  // An hour before and after the clock changes in Paris.
  const first = await confirmed(parties, '2031-03-29T23:30', note);
  const second = await confirmed(parties, '2031-03-30T01:00');
  await lessons.book(parties, '2031-04-01T09:00');
  for (const [who, other] of [
    ['student', 'teacher'],
    ['teacher', 'student'],
  ] as const) {
    const events = await eventsOf(urlOf(await lessons[who](parties).get(FEED)));
    const name = `${other} ${parties[other]}`;
    expect(events.map(({ uid, summary }) => [uid, summary])).toEqual([
      [`booking-${first}@public.test`, `Lesson with ${name}`],
      [`booking-${second}@public.test`, `Lesson with ${name}`],
    ]);
    expect(events[0]!.description).toBe(note);
    const wall = (timeZone: string) =>
      events.map(({ startDate, endDate }) =>
        [startDate, endDate]
          .map((time) => time.toJSDate().toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }))
          .join('-'),
      );
    expect(wall('Europe/Paris')).toEqual(['00:30-01:30', '03:00-04:00']);
    expect(wall('Asia/Kolkata')).toEqual(['05:00-06:00', '06:30-07:30']);
  }
  const french = await open(urlOf(await lessons.student(parties).get(FEED)), { 'accept-language': 'fr' });
  const text = await french.text();
  expect(text).toContain(`Cours avec teacher ${parties.teacher}`);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBe(75);
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
});

test('a moved lesson keeps its UID, and a canceled lesson disappears', async () => {
  const parties = await lessons.pair();
  const id = await confirmed(parties, '2031-05-01T09:00');
  const url = urlOf(await lessons.student(parties).get(FEED));
  const [before] = await eventsOf(url);
  const starts_at = at('2031-05-01T11:00');
  await lessons.teacher(parties).post(`/api/bookings/${id}/reschedule`, { starts_at });
  // It keeps its time until the other side confirms.
  expect((await eventsOf(url)).map(({ startDate }) => startDate.toJSDate())).toEqual([before!.startDate.toJSDate()]);
  await lessons.student(parties).post(`/api/bookings/${id}/confirm`);
  const [after] = await eventsOf(url);
  expect([after!.uid, after!.startDate.toJSDate().toISOString()]).toEqual([before!.uid, '2031-05-01T11:00:00.000Z']);
  expect(after!.sequence).toBeGreaterThan(before!.sequence);
  await lessons.student(parties).post(`/api/bookings/${id}/cancel`);
  expect(await eventsOf(url)).toEqual([]);
});

test('the link stays valid until it is renewed; other links are a 404', async () => {
  const parties = await lessons.pair();
  const link = async () => urlOf(await lessons.student(parties).get(FEED));
  const first = await link();
  expect([first, await link()]).toEqual([expect.stringMatching(/\?token=\d+\.[\w-]{43}$/), first]);
  const second = urlOf(await lessons.student(parties).post(FEED));
  expect([second === first, await link()]).toEqual([false, second]);
  const mac = second.split('.').at(-1)!;
  const forged = [
    first,
    second.slice(0, -1),
    `${second}x`,
    second.replace(mac, mac.split('').reverse().join('')),
    second.replace(/=\d+/, `=${parties.teacher}`),
    '/api/bookings.ics',
    '/api/bookings.ics?token=',
    '/api/bookings.ics?token=999999999.x',
    `/api/bookings.ics?token=${'x'.repeat(1_000)}`,
  ];
  for (const url of forged) expect((await open(url)).status).toBe(404);
  expect((await open(second)).status).toBe(200);
  expect(JSON.stringify(await lessons.service.rows('select * from calendar_feed'))).not.toContain(mac);
});

test('a banned or deleted user has no feed', async () => {
  const parties = await lessons.pair();
  const url = urlOf(await lessons.student(parties).post(FEED));
  const changeStudent = (changes: object) =>
    lessons.service.receive('user.changed', person(parties.student, 'student', changes));
  await changeStudent({ status: 'banned', version: 5 });
  expect((await open(url)).status).toBe(404);
  await changeStudent({ version: 6 });
  expect((await open(url)).status).toBe(200);
  await changeStudent({ deleted: true, version: 7 });
  expect((await open(url)).status).toBe(404);
  expect(await lessons.service.rows('select 1 from calendar_feed where user_id = $1', [parties.student])).toEqual([]);
});

/** Inserts `count` consecutive lessons of half an hour that start in `hours` hours. */
const lessonsFrom = ({ student, teacher }: Party, hours: number, count: number, status = 'confirmed') =>
  lessons.service.asOwner(
    `insert into booking (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, note, status, asked)
     select $1, $2, at, at + interval '30 minutes', 'UTC', 'video', 'Fractions', $5, 'teacher'
     from generate_series(1, $4) as i, lateral (
       select app_now() + make_interval(hours => $3) + i * interval '30 minutes' as at) as begin`,
    [student, teacher, hours, count, status],
  );
const feedOf = async (parties: Party) => urlOf(await lessons.student(parties).get(FEED));

test('past lessons stay for 90 days; requests and canceled or declined lessons are left out', async () => {
  const parties = await lessons.pair();
  await lessonsFrom(parties, -91 * 24, 1, 'done');
  for (const [hours, status] of [
    [-89 * 24, 'done'],
    [-48, 'missed'],
    [-24, 'confirmed'],
    [-12, 'canceled'],
    [-6, 'declined'],
    [6, 'requested'],
    [24, 'confirmed'],
  ] as const)
    await lessonsFrom(parties, hours, 1, status);
  const events = await eventsOf(await feedOf(parties));
  const days = events.map(({ startDate }) => Math.round((startDate.toJSDate().getTime() - NOW) / 86_400_000));
  expect(days).toEqual([-89, -2, -1, 1]);
});

test.each([
  ['with upcoming lessons only', 0, 700, 0],
  ['with more past than upcoming lessons', 300, 250, 250],
  ['with few upcoming lessons', 700, 20, 480],
])('a calendar %s has at most 500 lessons, preferably upcoming ones', async (_name, over, ahead, overShown) => {
  const parties = await lessons.pair();
  await lessonsFrom(parties, -600, over, 'done');
  await lessonsFrom(parties, 1, ahead);
  const events = await eventsOf(await feedOf(parties));
  const starts = events.map(({ startDate }) => startDate.toJSDate().getTime());
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  const past = starts.filter((start) => start < NOW);
  expect([starts.length, past.length]).toEqual([500, overShown]);
  // The past lessons are the latest ones, without a gap.
  const halfHours = past.length === 0 ? -1 : Math.round((past.at(-1)! - past[0]!) / 1_800_000);
  expect(halfHours).toBe(past.length - 1);
});

test('SEQUENCE and DTSTAMP change only with the lesson, also when an older release changes the row', async () => {
  const parties = await lessons.pair();
  const id = await confirmed(parties, '2031-05-01T09:00');
  const url = await feedOf(parties);
  const stampOf = async () => {
    const [event] = await eventsOf(url);
    return [event!.sequence, String(event!.component.getFirstPropertyValue('dtstamp'))];
  };
  const change = (set: string) =>
    lessons.service.asOwner(
      `update booking set ${set}, version = version + 1, updated_at = app_now() + interval '1 hour' where id = $1`,
      [id],
    );
  const before = await stampOf();
  for (const set of ['reminded_minutes = 60', 'reminded_minutes = 10', `status = 'done'`, `status = 'missed'`]) {
    await change(set);
    expect([set, await stampOf()]).toEqual([set, before]);
  }
  await change(`status = 'confirmed', note = 'Fractions'`);
  expect((await stampOf())[0]).toBe(Number(before[0]) + 1);
  await change(`starts_at = starts_at + interval '1 hour', ends_at = ends_at + interval '1 hour'`);
  expect((await stampOf())[0]).toBe(Number(before[0]) + 2);
});

describe('a calendar', () => {
  test('is a 304 for its ETag until its content changes', async () => {
    const parties = await lessons.pair();
    const id = await confirmed(parties, '2031-05-01T09:00');
    const url = await feedOf(parties);
    const tagOf = async () => (await open(url)).headers.get('etag')!;
    const first = await tagOf();
    expect(first).toMatch(/^"[\w-]{43}"$/);
    for (const known of [first, `"other", W/${first}`, '*']) {
      const answer = await open(url, { 'if-none-match': known });
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, first, '']);
    }
    const rename = (name: string, version: number) =>
      lessons.service.receive('user.changed', person(parties.teacher, 'teacher', { name, version }));
    const note = (text: string) =>
      lessons.service.asOwner('update booking set note = $2, version = version + 1 where id = $1', [id, text]);
    const changes = [() => confirmed(parties, '2031-05-02T09:00'), () => rename('Kossi', 9), () => note('New')];
    const tags = [first];
    for (const change of changes) {
      await change();
      expect((await open(url, { 'if-none-match': tags.at(-1)! })).status).toBe(200);
      tags.push(await tagOf());
    }
    expect(new Set(tags).size).toBe(4);
    expect((await open(url, { 'accept-language': 'fr', 'if-none-match': tags.at(-1)! })).status).toBe(200);
    const ofTeacher = urlOf(await lessons.teacher(parties).get(FEED));
    expect((await open(ofTeacher)).headers.get('etag')).not.toBe(tags.at(-1));
  });

  test('answers HEAD like GET, without the body', async () => {
    const parties = await lessons.pair();
    await confirmed(parties, '2031-05-01T09:00');
    const url = `${lessons.service.url}${pathOf(await feedOf(parties))}`;
    const facts = ({ status, headers }: Response) => [
      status,
      ...['content-type', 'content-length', 'etag', 'content-disposition'].map((name) => headers.get(name)),
    ];
    const [get, head] = [await fetch(url), await fetch(url, { method: 'HEAD' })];
    expect(facts(head)).toEqual(facts(get));
    expect([(await head.text()).length, (await get.text()).length]).toEqual([
      0,
      Number(head.headers.get('content-length')),
    ]);
    const known = await fetch(url, { method: 'HEAD', headers: { 'if-none-match': get.headers.get('etag')! } });
    const unknown = await fetch(`${lessons.service.url}/api/bookings.ics?token=1.x`, { method: 'HEAD' });
    expect([known.status, unknown.status]).toEqual([304, 404]);
  });
});

test('a link of an earlier key works as long as the key is configured; new links use the first key', async () => {
  const parties = await lessons.pair();
  const link = new URL(await feedOf(parties));
  const pathSignedWith = (secret: string) =>
    `/api/bookings.ics?token=${parties.student}.${createHmac('sha256', secret).update(`calendar:${parties.student}:0`).digest('base64url')}`;
  const status = (url: string) => open(url).then((answer) => answer.status);
  const own = CALLS_ENV.CALENDAR_KEYS.split(':')[1]!;
  expect(`${link.pathname}${link.search}`).toBe(pathSignedWith(own));
  // The namespace of rooms is not a key: messaging has it, too.
  expect([await status(pathSignedWith(OLD_KEY)), await status(pathSignedWith(CALLS_ENV.ROOM_NAMESPACE))]).toEqual([
    200, 404,
  ]);
});

test('a link that is read too often is refused for the rest of the minute; other links are not', async () => {
  const [one, other] = [await lessons.pair(), await lessons.pair()];
  const [url, elsewhere] = [await feedOf(one), await feedOf(other)];
  const read = Array.from({ length: MAX_READS_PER_MINUTE + 20 }, () => open(url, { 'if-none-match': '*' }));
  const refused = (await Promise.all(read)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused[0]!.json()).toMatchObject({ code: 'rate_limited' });
  expect((await open(elsewhere)).status).toBe(200);
});
