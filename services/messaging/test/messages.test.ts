import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { A_MOMENT_AGO } from '@tutoring/shared/testing/elapsed';
import { eventually } from '@tutoring/shared/testing/wait';
import { AVATAR, startMessaging, startFakeService, uuidOf, type Messaging } from './kit.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

let wallet: Awaited<ReturnType<typeof startFakeService>>;
let messaging: Messaging;
beforeAll(async () => {
  wallet = await startFakeService({
    '/internal/balances/1': { user_id: 1, balance: 900, held: 150, available: 750, currency: 'XOF', version: 3 },
  });
  messaging = await startMessaging({ WALLET_URL: wallet.url });
});
afterAll(async () => {
  await messaging.stop();
  await wallet.stop();
});

const bodies = (answer: { body: { message: string }[] }) => answer.body.map(({ message }) => message);

describe('response shapes', () => {
  const shown = (uuid: string, changes: Record<string, unknown>) => ({
    id: expect.any(Number),
    room_uuid: uuid,
    message: 'Bonjour',
    time: A_MOMENT_AGO,
    status: 'unread',
    type: 'message',
    message_link: null,
    created_at: TIME,
    updated_at: TIME,
    ...changes,
  });
  const sender = (changes: Record<string, unknown>) => ({
    id: 1,
    name: 'Sam 1',
    email: 'u1@example.com',
    solde: 750,
    level_study: null,
    subjects_interest: '',
    phone_number: '+22507000001',
    photo: AVATAR,
    address: '1 Main Street',
    city: 'Abidjan',
    country: 'CI',
    about_me: 'about',
    status: 'active',
    created_at: '2026-01-02T03:04:05.678901Z',
    updated_at: '2026-01-02T03:04:05.678901Z',
    ...changes,
  });
  const hidden = { solde: 0, phone_number: '', address: '', city: '' };

  /** The message as shown some time after it was sent. */
  const aged = (message: object) => ({ ...message, time: A_MOMENT_AGO });

  test('a sent message has the specified shape in its response, in both listings and in the events', async () => {
    const { uuid, student, teacher } = await messaging.pair(1, 2);
    const sent = await student.post(`/api/rooms/${uuid}/messages`, { message: 'Bonjour', type: 'message' });
    expect([sent.status, sent.body]).toEqual([200, shown(uuid, { sender_id: 1 })]);
    expect(sent.body.updated_at).toBe(sent.body.created_at);
    const link = 'https://cdn.example.com/a.png?x=1';
    const image = await teacher.post(`/api/rooms/${uuid}/messages`, { type: 'image', message_link: link });
    expect(image.body).toEqual(shown(uuid, { sender_id: 2, message: '', type: 'image', message_link: link }));

    const plain = await student.get(`/api/rooms/${uuid}/messages`);
    expect([plain.status, plain.body]).toEqual([200, [aged(sent.body), aged(image.body)]]);
    const { sender_id: _one, ...first } = sent.body;
    const { sender_id: _two, ...second } = image.body;
    // A busy wallet does not answer in time.
    const detailed = await eventually('the balance is known', async () => {
      const answer = await student.get(`/api/rooms/${uuid}`);
      return answer.body[0].sender.solde !== 0 && answer;
    });
    const other = { id: 2, name: 'Tara 2', email: 'u2@example.com' };
    expect([detailed.status, detailed.body]).toEqual([
      200,
      [
        { ...aged(first), sender: sender({}) },
        { ...aged(second), status: 'read', sender: sender({ ...other, ...hidden }) },
      ],
    ]);
    const forTeacher = await teacher.get(`/api/rooms/${uuid}`);
    expect(forTeacher.body[0].sender).toEqual(sender(hidden));
    expect(forTeacher.body[1].sender).toEqual(sender({ ...other, solde: 0, phone_number: '+22507000002' }));

    const live = (await messaging.service.live()).filter(({ event }) => event !== 'room.created');
    const created = (to: string, data: unknown) => ({ to, event: 'message.created', data });
    expect(live).toEqual([
      created('user.1', sent.body),
      created('user.2', sent.body),
      created('user.1', image.body),
      created('user.2', image.body),
      { to: 'user.2', event: 'message.read', data: { room_uuid: uuid, up_to: image.body.id } },
      { to: 'user.1', event: 'room.read', data: { room_uuid: uuid, up_to: image.body.id, unread: 0 } },
      { to: 'user.1', event: 'message.read', data: { room_uuid: uuid, up_to: sent.body.id } },
      { to: 'user.2', event: 'room.read', data: { room_uuid: uuid, up_to: sent.body.id, unread: 0 } },
    ]);
  });

  test('an unknown balance is read from wallet once and then updated by events; it is 0 when wallet is down', async () => {
    const student = messaging.service.api.student(1);
    const own = async () => (await student.get(`/api/rooms/${uuidOf(1, 2)}`)).body[0].sender.solde;
    const asked = () => wallet.asked.filter((path) => path.endsWith('/1')).length;
    const before = asked();
    expect([before > 0, await own(), asked()]).toEqual([true, 750, before]);
    const balance = { user_id: 1, balance: 500, held: 0, available: 500, currency: 'XOF' };
    await messaging.service.receive('balance.changed', { ...balance, version: 4 });
    await messaging.service.receive('balance.changed', { ...balance, available: 1, version: 2 });
    expect(await own()).toBe(500);
    wallet.state.away = true;
    const { uuid, student: newcomer } = await messaging.pair(3, 4);
    await newcomer.post(`/api/rooms/${uuid}/messages`, { message: 'hi' });
    expect((await newcomer.get(`/api/rooms/${uuid}`)).body[0].sender.solde).toBe(0);
    wallet.state.away = false;
  });

  test("show_contact_details shows the partner's phone, address and city, never the balance", async () => {
    const teacher = messaging.service.api.teacher(2);
    await messaging.service.receive('setting.changed', { name: 'show_contact_details', value: 1, version: 2 });
    const partner = await eventually('the setting has taken effect', async () => {
      const { sender: from } = (await teacher.get(`/api/rooms/${uuidOf(1, 2)}`)).body[0];
      return from.phone_number !== '' && from;
    });
    expect(partner).toEqual(sender({ solde: 0 }));
    await messaging.service.receive('setting.changed', { name: 'show_contact_details', value: 0, version: 3 });
  });
});

describe('sending', () => {
  const send = (body: unknown, headers?: Record<string, string>) =>
    messaging.service.api.student(10).post(`/api/rooms/${uuidOf(10, 11)}/messages`, body, headers);
  beforeAll(async () => {
    await messaging.pair(10, 11);
  });

  test.each([
    ['nothing', {}, { message: ['The message field is required.'] }],
    ['an empty text', { message: '' }, { message: ['The message field is required.'] }],
    ['white space only', { message: ' \n\t ' }, { message: ['The message field is required.'] }],
    ['a number', { message: 5 }, { message: ['The message field must be a string.'] }],
    ['a list', { message: ['a'] }, { message: ['The message field must be a string.'] }],
    ['a NUL character', { message: 'a\u0000b' }, { message: ['The message field contains invalid characters.'] }],
    ['an escape character', { message: 'a\u001bb' }, { message: ['The message field contains invalid characters.'] }],
    [
      'half of a surrogate pair',
      { message: 'a\ud83d' },
      { message: ['The message field contains invalid characters.'] },
    ],
    [
      '5,001 characters',
      { message: 'x'.repeat(5001) },
      { message: ['The message field must not be greater than 5000 characters.'] },
    ],
    ['an unknown type', { message: 'a', type: 'poll' }, { type: ['The selected type is invalid.'] }],
    [
      'a javascript link',
      { message_link: 'javascript:alert(1)' },
      { message_link: ['The message link field must be a valid URL.'] },
    ],
    [
      'a file link',
      { message_link: 'file:///etc/passwd' },
      { message_link: ['The message link field must be a valid URL.'] },
    ],
    [
      'a link that is not a URL',
      { message: 'a', message_link: 'here' },
      { message_link: ['The message link field must be a valid URL.'] },
    ],
    [
      'a long client id',
      { message: 'a', client_message_id: 'x'.repeat(256) },
      { client_message_id: ['The client message id field must not be greater than 255 characters.'] },
    ],
    [
      'two invalid fields',
      { message: 5, type: 'poll' },
      { message: ['The message field must be a string.'], type: ['The selected type is invalid.'] },
    ],
  ])('%s is refused with a 422', async (_name, body, errors) => {
    const answer = await send(body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  test.each([
    ['5,000 four-byte characters', '😀'.repeat(5000)],
    ['right-to-left text with marks', 'a \u202eمرحبا بالعالم\u202c שלום'],
    ['lines and tabs', 'one\r\n\ttwo'],
    ['joined emoji', '👩‍👩‍👧‍👦 e\u0301'],
    ['markup and quotes', `<script>alert("x")</script> '; drop table message; --`],
    ['PostgreSQL escapes', '\\x00 \\u0000 {"a":1}'],
  ])('%s are stored unchanged', async (_name, text) => {
    const answer = await send({ message: text });
    expect([answer.status, answer.body.message]).toEqual([200, text]);
    expect(bodies(await messaging.service.api.teacher(11).get(`/api/rooms/${uuidOf(10, 11)}/messages`)).at(-1)).toBe(
      text,
    );
  });

  test('surrounding white space is trimmed', async () => {
    expect((await send({ message: '  hi  ' })).body.message).toBe('hi');
  });

  test('the maximum length is a setting', async () => {
    await messaging.service.receive('setting.changed', { name: 'message_max_length', value: 3, version: 2 });
    const refused = await eventually('the setting has taken effect', async () => {
      const answer = await send({ message: '😀😀😀😀' });
      return answer.status === 422 && answer;
    });
    expect(refused.body.message).toBe('The message field must not be greater than 3 characters.');
    expect((await send({ message: '😀😀😀' })).status).toBe(200);
    await messaging.service.receive('setting.changed', { name: 'message_max_length', value: 5000, version: 3 });
    await eventually('the old limit applies again', async () => (await send({ message: 'long again' })).status === 200);
  });

  test('repeats with the same client_message_id of one sender create one message, also concurrently', async () => {
    const body = { message: 'once', client_message_id: 'c-1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(body)));
    expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1);
    const before = await messaging.service.live();
    const again = await send({ ...body, message: 'changed' });
    expect(again.body).toEqual(answers[0]!.body);
    expect(await messaging.service.live()).toEqual(before);
    const partner = await messaging.service.api.teacher(11).post(`/api/rooms/${uuidOf(10, 11)}/messages`, body);
    expect(partner.body.id).not.toBe(again.body.id);
  });

  test('the same Idempotency-Key replays the response; another body is refused; a refusal is not stored', async () => {
    const key = { 'idempotency-key': 'k-1' };
    const refused = await send({ message: '' }, key);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send({ message: 'keyed' }, key)));
    const again = await send({ message: 'keyed' }, key);
    const other = await send({ message: 'other' }, key);
    expect([refused.status, other.status]).toEqual([422, 422]);
    expect(new Set([...answers, again].map(({ body: { id } }) => id)).size).toBe(1);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const storedRows = await messaging.service.rows(`select 1 from message where message = 'keyed'`);
    expect(storedRows).toHaveLength(1);
    expect((await send({ message: 'x' }, { 'idempotency-key': 'k'.repeat(256) })).status).toBe(422);
  });
});
