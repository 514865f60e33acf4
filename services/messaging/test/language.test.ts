import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { timeAgo } from '../src/messages/time-ago.ts';
import { call, startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

const FRENCH = { 'accept-language': 'fr' };
const speaks = (user_id: number, language: 'en' | 'fr', version = 1) =>
  messaging.service.receive('devices.changed', { user_id, device_keys: [`phone-${user_id}`], language, version });
const arrived = (user_id: number, count: number) =>
  eventually(`${count} pushes to ${user_id}`, async () => {
    const sent = (await messaging.pushes()).filter(({ to }) => to === `phone-${user_id}`);
    return sent.length >= count && sent.map(({ subject, text }) => `${subject}: ${text}`);
  });

describe('language of notifications', () => {
  test("a message notification is in the recipient's language, not in the sender's", async () => {
    const { uuid, student, teacher } = await messaging.pair(1, 2);
    await speaks(1, 'en');
    await speaks(2, 'fr');
    const image = { type: 'image', message_link: 'https://x.test/1.png' };
    await student.post(`/api/rooms/${uuid}/messages`, image);
    // A push contains the number of unread messages at the time it is sent.
    await arrived(2, 1);
    await student.post(`/api/rooms/${uuid}/messages`, image);
    await teacher.post(`/api/rooms/${uuid}/messages`, image, FRENCH);
    expect((await arrived(2, 2)).sort()).toEqual([
      'Sam 1: A envoyé une image (1 non lu)',
      'Sam 1: A envoyé une image (2 non lus)',
    ]);
    expect(await arrived(1, 1)).toEqual(['Tara 2: Sent an image (1 unread)']);
  });

  test("support and call notifications are in the recipient's language, which follows identity's events", async () => {
    const { teacher } = await messaging.pair(11, 12);
    await speaks(12, 'fr');
    await teacher.get('/api/support/messages');
    const rooms: { uuid: string; user: { id: number } }[] = (
      await messaging.service.api.admin().get('/api/admin/rooms')
    ).body;
    const { uuid } = rooms.find(({ user }) => user.id === 12)!;
    await messaging.service.api.admin().post(`/api/admin/rooms/${uuid}/messages`, { message: 'Salut' });
    expect(await arrived(12, 1)).toEqual(['Assistance: Salut (1 non lu)']);
    await messaging.service.receive('call.changed', call(11, 12, { identifier: 'ring' }));
    expect((await arrived(12, 2))[1]).toMatch(/^Sam 11: Appel (vidéo|audio) entrant/);
    await speaks(12, 'en', 2);
    await messaging.service.receive(
      'call.changed',
      call(11, 12, { identifier: 'ring', state: 'canceled', version: 2 }),
    );
    expect((await arrived(12, 3))[2]).toMatch(/^Sam 11: The call was canceled/);
  });
});

test('booking notifications are in the language of each recipient, with the time zone of the start', async () => {
  await speaks(21, 'en');
  await speaks(22, 'fr');
  const to = [
    { user_id: 21, from: 'Tara' },
    { user_id: 22, from: 'Sam' },
  ];
  const booking = { booking_id: 5, to, starts_at: '2031-05-01T09:00:00.000000Z', time_zone: 'Asia/Kolkata' };
  const turns = [
    [
      { turn: 'requested' },
      /^Tara: Asks for a lesson on Thursday.*1 May.*14:30 GMT\+5:30 \(Asia\/Kolkata\)/,
      /^Sam: Demande un cours le jeudi 1 mai.*14:30 UTC\+5:30 \(Asia\/Kolkata\)/,
    ],
    [
      { turn: 'rescheduled', starts_at: '2031-05-02T09:00:00.000000Z' },
      /^Tara: Would like to move the lesson to Friday.*2 May.*14:30/,
      /^Sam: Propose de déplacer le cours au vendredi 2 mai.*14:30/,
    ],
    [
      { turn: 'declined', starts_at: '2031-05-02T09:00:00.000000Z', stays_at: '2031-05-01T09:00:00.000000Z' },
      /^Tara: The lesson stays on Thursday.*1 May.*14:30/,
      /^Sam: Le cours est maintenu le jeudi 1 mai.*14:30/,
    ],
    // Zones stored by an older release: one that Temporal does not know, and one that does not exist.
    [
      { turn: 'confirmed', time_zone: 'IST' },
      /^Tara: The lesson on Thursday.*14:30 GMT\+5:30 \(IST\) is confirmed/,
      /^Sam: Le cours du jeudi.*14:30 UTC\+5:30 \(IST\) est confirmé/,
    ],
    [
      { turn: 'confirmed', time_zone: 'Mars/Olympus' },
      /^Tara: The lesson on Thursday.*09:00 UTC is confirmed/,
      /^Sam: Le cours du jeudi.*09:00 UTC est confirmé/,
    ],
    [
      { turn: 'canceled', reason: 'I am ill.' },
      /^Tara: The lesson on Thursday.* is canceled \(I am ill\.\)/,
      /^Sam: Le cours du jeudi.* est annulé \(I am ill\.\)/,
    ],
    [
      { turn: 'reminder', minutes: 10 },
      /^Tara: The lesson begins in 10 minutes/,
      /^Sam: Le cours commence dans 10 minutes/,
    ],
  ] as const;
  for (const [index, [turn, english, french]] of turns.entries()) {
    await messaging.service.receive('booking.announced', { ...booking, ...turn });
    expect((await arrived(21, index + 1))[index]).toMatch(english);
    expect((await arrived(22, index + 1))[index]).toMatch(french);
  }
  const sent = (await messaging.pushes()).filter(({ to: key }) => key === 'phone-21');
  expect(sent.at(-1)?.ttl).toBeLessThanOrEqual(600);
});

describe('the time of a message', () => {
  const NOW = '2026-11-20T12:00:00.000000Z';
  test.each([
    [0, 'il y a 1 seconde'],
    [59, 'il y a 59 secondes'],
    [60, 'il y a 1 minute'],
    [7_200, 'il y a 2 heures'],
    [86_400, 'il y a 1 jour'],
    [14 * 86_400, 'il y a 2 semaines'],
    [60 * 86_400, 'il y a 2 mois'],
    [365 * 86_400, 'il y a 1 an'],
    [3 * 365 * 86_400, 'il y a 3 ans'],
  ])('a message sent %i seconds ago is shown as "%s" in French', (seconds, expected) => {
    const then = new Date(Date.parse(NOW) - seconds * 1_000).toISOString();
    expect(timeAgo(then, NOW, 'fr')).toBe(expected);
  });

  test('is in the language of the request, also in a batch of several languages; live events are in English', async () => {
    const { uuid, student, teacher } = await messaging.pair(21, 22);
    const languages = Array.from({ length: 24 }, (_none, index) => (index % 2 === 0 ? 'fr' : 'en'));
    const sent = await Promise.all(
      languages.map((language, index) =>
        (index % 3 === 0 ? teacher : student).post(
          `/api/rooms/${uuid}/messages`,
          { message: String(index) },
          { 'accept-language': language },
        ),
      ),
    );
    expect(sent.map(({ body }) => body.time)).toEqual(
      languages.map((language) => (language === 'fr' ? 'il y a 1 seconde' : '1 second ago')),
    );
    const events = await messaging.service.rows<{ time: string }>(
      `select data ->> 'time' as time from outbox where name = 'message.created' and data ->> 'room_uuid' = $1`,
      [uuid],
    );
    expect(new Set(events.map(({ time }) => time))).toEqual(new Set(['1 second ago']));
    const [french] = (await student.get(`/api/rooms/${uuid}/messages`, FRENCH)).body;
    expect(french.time).toMatch(/^il y a \d+ secondes?$/);
    const [room] = (await student.get('/api/rooms', FRENCH)).body;
    expect(room.last_message.time).toMatch(/^il y a/);
  });

  test('a repeat with the same Idempotency-Key returns the stored response, in its first language', async () => {
    const { uuid, student } = await messaging.pair(31, 32);
    const send = (headers: Record<string, string>) =>
      student.post(`/api/rooms/${uuid}/messages`, { message: 'once' }, { 'idempotency-key': 'k', ...headers });
    const first = await send(FRENCH);
    expect(first.body.time).toBe('il y a 1 seconde');
    expect((await send({})).text).toBe(first.text);
  });
});

test.each([
  [
    'a room of others',
    '/api/rooms/3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11/messages',
    { message: 'x' },
    'Conversation introuvable.',
  ],
  ['no text', '/api/support/messages', {}, 'Le champ message est obligatoire.'],
  [
    'an invalid link',
    '/api/support/messages',
    { message_link: 'x' },
    'Le champ lien du message doit être une URL valide.',
  ],
  [
    'a long text',
    '/api/support/messages',
    { message: 'x'.repeat(20_000) },
    'Le champ message ne doit pas dépasser 5000 caractères.',
  ],
])('%s is refused in French', async (_name, path, body, message) => {
  const { student } = await messaging.pair(41, 42);
  expect((await student.post(path, body, FRENCH)).body.message).toBe(message);
});
