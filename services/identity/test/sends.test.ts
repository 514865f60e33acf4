import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { chargeSend } from '../src/delivery/delivery-service.ts';
import { maySend } from '../src/delivery/send-budget.ts';
import { isOrdinaryNumber } from '../src/users/phone.ts';
import { startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity({ SEND_LIMIT_FACTOR: '1', SMS_COUNTRIES: 'CI,GB', SMS_PER_NUMBER_PER_DAY: '100' });
});
afterAll(() => service.end());

let networks = 0;
/** Headers of a client in a network that has not caused any message yet. */
const fromNewNetwork = () => ({ 'x-client-address': `10.${(networks += 1)}.0.1` });
const post = (path: string, body: object, headers = fromNewNetwork()) =>
  service.api.anonymous.post(`/api/auth/${path}`, body, headers);
const register = (email: string, headers = fromNewNetwork()) =>
  post('register', service.submission({ email }), headers);
const address = () => `to-${unique()}@example.com`;
let numbers = 1_000;
const newPhone = () => `+225070909${(numbers += 1)}`;

const DEFAULTS = { max_sends_per_day: 10_000, max_sends_per_network: 100 };

/** Runs `work` while a setting has the given value. */
async function withSetting<T>(name: keyof typeof DEFAULTS, value: number, work: () => Promise<T>): Promise<T> {
  const su = await service.su();
  const { body } = await su.api.post('/api/admin/settingsall', { filter_value: name });
  const set = (to: number) => su.api.put(`/api/admin/settings/${body.data[0].id}`, { value: to });
  expect(body.data[0].value).toBe(DEFAULTS[name]);
  await set(value);
  try {
    return await work();
  } finally {
    await set(DEFAULTS[name]);
  }
}

/** The number of messages sent to an address, after all requests have been handled. */
async function sentTo(to: string): Promise<number> {
  await eventually('all requests are handled and all messages sent', async () => {
    const [left] = await service.rows<{ left: number }>(
      'select (select count(*) from code_request) + (select count(*) from outgoing) as left',
    );
    return left!.left === 0;
  });
  return (await service.mailsTo(to)).length;
}

test('send budgets are 5 an hour and 20 a day per recipient, and settings per network and in total', () => {
  const none = { recipient: { hour: 0, day: 0 }, network: { hour: 0, day: 0 }, total: { hour: 0, day: 0 } };
  const table: [Partial<typeof none>, number, boolean][] = [
    [{}, 1, true],
    [{ recipient: { hour: 4, day: 19 }, network: { hour: 39, day: 900 }, total: { hour: 99, day: 99 } }, 1, true],
    [{ recipient: { hour: 5, day: 5 } }, 1, false],
    [{ recipient: { hour: 0, day: 20 } }, 1, false],
    [{ network: { hour: 40, day: 40 } }, 1, false],
    [{ total: { hour: 0, day: 100 } }, 1, false],
    [{ recipient: { hour: 9, day: 39 }, network: { hour: 79, day: 79 }, total: { hour: 0, day: 199 } }, 2, true],
  ];
  for (const [counted, factor, expected] of table)
    expect([counted, maySend({ ...none, ...counted }, { factor, perDay: 100, perNetwork: 40 })]).toEqual([
      counted,
      expected,
    ]);
});

test.each([
  ['+2250701020304', true],
  ['+447400123456', true],
  ['+22890112233', false],
  ['+449098790000', false],
  ['+448431234567', false],
  ['+447012345678', false],
  ['+445512345678', false],
  ['+883510012345', false],
])('%s is an ordinary number of CI or GB: %s', (number, expected) => {
  expect(isOrdinaryNumber(number, ['CI', 'GB'])).toBe(expected);
});

describe('messages', () => {
  test('a recipient gets five messages an hour over all purposes and spellings; the answers are the same', async () => {
    const user = await service.user({ email: address() });
    const answers: unknown[] = [];
    try {
      for (let n = 1; n <= 6; n += 1) {
        await service.shiftClock(n * 61);
        const { status, body } = await post('reset-password-send-code', { email: user.email.toUpperCase() });
        answers.push([status, body]);
        await sentTo(user.email);
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await sentTo(user.email)).toBe(5);
      const code = (await service.mailsTo(user.email)).at(-1)!.code;
      expect((await post('reset-password-verify-code', { email: user.email, code })).status).toBe(200);
      await service.shiftClock(3_700);
      await post('reset-password-send-code', { email: user.email });
      expect(await sentTo(user.email)).toBe(6);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('a network causes as many e-mails an hour as the setting allows, and a third as many SMS', async () => {
    const charge = (channel: 'email' | 'sms') =>
      service.service.database.transact((tx) =>
        chargeSend(tx, { channel, recipient: address(), network: '10.201.0.0/24', isAllowed: true }, 1),
      );
    const admitted = async (channel: 'email' | 'sms') => {
      const charges: boolean[] = [];
      for (let n = 0; n < 12; n += 1) charges.push(await charge(channel));
      return charges.filter(Boolean).length;
    };
    await withSetting('max_sends_per_network', 11, async () => {
      expect([await admitted('email'), await admitted('sms')]).toEqual([11, 3]);
    });
  });

  test('the budget of a network holds for 40 concurrent registrations; the answers are the same', async () => {
    const here = { 'x-client-address': '203.0.113.1' };
    const there = { 'x-client-address': '203.0.113.250' };
    const emails = Array.from({ length: 40 }, address);
    const answers = await withSetting('max_sends_per_network', 30, () =>
      Promise.all(emails.map((email, n) => register(email, n % 2 === 0 ? here : there))),
    );
    for (const answer of answers) expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message', 'user']]);
    const sent = await Promise.all(emails.map(sentTo));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(30);
    const other = address();
    await register(other);
    expect(await sentTo(other)).toBe(1);
  });

  test('exactly five of 20 concurrent messages to one recipient are admitted', async () => {
    const recipient = address();
    const charges = Array.from({ length: 20 }, (_, n) =>
      service.service.database.transact((tx) =>
        chargeSend(tx, { channel: 'email', recipient, network: `10.200.${n}.0/24`, isAllowed: true }, 1),
      ),
    );
    expect((await Promise.all(charges)).filter(Boolean)).toHaveLength(5);
  });

  test('SMS are sent only to the configured countries', async () => {
    const phone = (phone_number: string) =>
      post('register', service.submission({ gauth_type: 'phone_number', password: undefined, phone_number }));
    const countries = ['+22890112233', '+447400123456'];
    for (const number of countries) expect((await phone(number)).status).toBe(200);
    expect(await Promise.all(countries.map(sentTo))).toEqual([0, 1]);
  });

  test.each([
    ['possible but not valid', '0612345678'],
    ['not in the numbering plan', '+2250301020304'],
    ['a land line', '+2252721234567'],
    ['a premium rate number', '+449098790000'],
    ['a shared cost number', '+448431234567'],
    ['too short', '07010203'],
  ])('a number that is %s is refused for logins by phone', async (_name, phone_number) => {
    const body = service.submission({ gauth_type: 'phone_number', password: undefined, phone_number });
    const answer = await post('register', body);
    const errors = { phone_number: ['The phone number field format is invalid.'] };
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect((await post('register', service.submission({ phone_number }))).status).toBe(200);
    const user = await service.user({ gauth_type: 'phone_number', password: undefined, phone_number: newPhone() });
    const change = await user.api.put('/api/me', { phone_number });
    expect([change.status, change.body.errors]).toEqual([422, errors]);
  });

  test('an account still gets SMS at a number that a registration would refuse', async () => {
    const user = await service.user({ gauth_type: 'phone_number', password: undefined, phone_number: newPhone() });
    const old = '+2250612345678';
    await service.rows('update account set phone_number = $2, phone_key = $2 where id = $1', [user.id, old]);
    await post('login/send-code', { phone_number: '0612345678' });
    expect(await sentTo(old)).toBe(1);
    const password = (await service.mailsTo(old)).at(-1)!.code;
    const login = { gauth_type: 'phone_number', phone_number: '06 12 34 56 78', password };
    expect((await post('login', login)).status).toBe(200);
    expect((await user.api.put('/api/me', { phone_number: old, city: 'Lomé' })).status).toBe(200);
  });

  test('a registration beyond a budget keeps the earlier code valid, and counts to five in ten minutes', async () => {
    const recipient = address();
    const owner = service.submission({ email: recipient });
    await post('register', owner);
    await sentTo(recipient);
    const { code } = (await service.mailsTo(recipient))[0]!;
    const stranger = { 'x-client-address': '198.51.100.1' };
    const answers: number[] = [];
    await withSetting('max_sends_per_network', 0, async () => {
      for (let n = 0; n < 5; n += 1) answers.push((await register(recipient, stranger)).status);
    });
    expect(answers).toEqual([200, 200, 200, 200, 429]);
    expect(await sentTo(recipient)).toBe(1);
    expect((await post('register/verify', { ...owner, code })).status).toBe(200);
    expect((await post('login', { email: recipient, password: owner.password })).status).toBe(200);
  });

  test('a refused SMS counts neither for the number nor for the total', async () => {
    const number = '+2250700000017';
    await service.user({ gauth_type: 'phone_number', phone_number: number, password: undefined });
    const stranger = { 'x-client-address': '198.51.100.1' };
    const counts = () =>
      service.rows(
        `select (select sent from sms_day where recipient = $1) as sms,
        (select day_sends from send_count where key = 'total') as total`,
        [number],
      );
    const before = await counts();
    await service.shiftClock(61);
    try {
      await withSetting('max_sends_per_network', 2, async () => {
        for (let n = 0; n < 3; n += 1) await post('login/send-code', { phone_number: number }, stranger);
        await sentTo(number);
      });
      for (const abroad of ['+22890112233', '+22890112234'])
        await post(
          'register',
          service.submission({ gauth_type: 'phone_number', password: undefined, phone_number: abroad }),
        );
      await sentTo(number);
      expect(await counts()).toEqual(before);
    } finally {
      await service.shiftClock(0);
    }
  });

  test('the setting limits all messages of a day, except notices about the own account', async () => {
    const user = await service.user({ email: address() });
    await withSetting('max_sends_per_day', 0, async () => {
      const email = address();
      expect((await register(email)).status).toBe(200);
      const change = { password: 'a better password', current_password: user.password };
      expect((await user.api.put('/api/me', change)).status).toBe(200);
      expect([await sentTo(email), await sentTo(user.email)]).toEqual([0, 2]);
    });
  });
});

describe('letters about the own account and money', () => {
  const news = (user_id: number) => ({ user_id, what: 'refund_sent' as const, id: 3, amount: 1, currency: 'XOF' });
  const repeat = async (times: number, work: () => Promise<unknown>) => {
    for (let n = 0; n < times; n += 1) await work();
  };

  test('one address gets fifty a day, whatever they are about, and its codes beside them', async () => {
    const user = await service.user({ email: address() });
    const before = await sentTo(user.email);
    await repeat(60, () => service.receive('money.announced', news(user.id)));
    expect((await sentTo(user.email)) - before).toBe(50);
    const change = { password: 'a better password', current_password: user.password };
    expect((await user.api.put('/api/me', change)).status).toBe(200);
    expect((await sentTo(user.email)) - before).toBe(50);
    expect((await post('reset-password-send-code', { email: user.email })).status).toBe(200);
    expect((await sentTo(user.email)) - before).toBe(51);
    const another = await service.user({ email: address() });
    const { length } = await service.mailsTo(another.email);
    await service.receive('money.announced', news(another.id));
    expect(await sentTo(another.email)).toBe(length + 1);
    await service.shiftClock(25 * 3_600);
    await service.receive('money.announced', news(user.id)).finally(() => service.shiftClock(0));
    expect((await sentTo(user.email)) - before).toBe(52);
  });

  test('one number gets ten by SMS, also when a stranger has used up its codes', async () => {
    const number = newPhone();
    const { id } = await service.user({ gauth_type: 'phone_number', password: undefined, phone_number: number });
    const before = await sentTo(number);
    await service.rows('update sms_day set sent = 100 where recipient = $1', [number]);
    await repeat(12, () => service.receive('money.announced', { user_id: id, what: 'account_added' }));
    expect((await sentTo(number)) - before).toBe(10);
  });
});
