import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import { at, idOf, startLessons, type Lessons } from './lessons.ts';
import { person, type Party } from './scene.ts';

let lessons: Lessons;
beforeAll(async () => {
  lessons = await startLessons();
});
afterAll(() => lessons.stop());

const FEED = '/api/bookings/feed';
const urlOf = ({ body }: { body: unknown }) => (body as { url: string }).url;
const pathOf = (url: string) => url.replace('http://public.test', '');
const open = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${lessons.service.url}${pathOf(url)}`, { headers });

/** The events of a feed, as a reader that is not its writer understands them. */
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

test('both people subscribe to their confirmed lessons, which are at the same time in every zone', async () => {
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
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
});

test('a lesson that is moved keeps its identity, and one that is called off goes', async () => {
  const parties = await lessons.pair();
  const id = await confirmed(parties, '2031-05-01T09:00');
  const url = urlOf(await lessons.student(parties).get(FEED));
  const [before] = await eventsOf(url);
  const starts_at = at('2031-05-01T11:00');
  await lessons.teacher(parties).post(`/api/bookings/${id}/reschedule`, { starts_at });
  // Until the other side agrees it is where it was.
  expect((await eventsOf(url)).map(({ startDate }) => startDate.toJSDate())).toEqual([before!.startDate.toJSDate()]);
  await lessons.student(parties).post(`/api/bookings/${id}/confirm`);
  const [after] = await eventsOf(url);
  expect([after!.uid, after!.startDate.toJSDate().toISOString()]).toEqual([before!.uid, '2031-05-01T11:00:00.000Z']);
  expect(after!.sequence).toBeGreaterThan(before!.sequence);
  await lessons.student(parties).post(`/api/bookings/${id}/cancel`);
  expect(await eventsOf(url)).toEqual([]);
});

test('the link stays until it is renewed; no other one opens anything', async () => {
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

test('who is banned or deleted has no feed', async () => {
  const parties = await lessons.pair();
  const url = urlOf(await lessons.student(parties).post(FEED));
  const tell = (changes: object) =>
    lessons.service.receive('user.changed', person(parties.student, 'student', changes));
  await tell({ status: 'banned', version: 5 });
  expect((await open(url)).status).toBe(404);
  await tell({ version: 6 });
  expect((await open(url)).status).toBe(200);
  await tell({ deleted: true, version: 7 });
  expect((await open(url)).status).toBe(404);
  expect(await lessons.service.rows('select 1 from calendar_feed where user_id = $1', [parties.student])).toEqual([]);
});
