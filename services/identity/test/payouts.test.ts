import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const prove = (id: number, given: object) =>
  service.api.service('wallet').post(`/internal/users/${id}/proof`, { address: '192.0.2.7', ...given });
const errorsOf = (answer: { status: number; body: { errors: unknown } }) => [answer.status, answer.body.errors];

describe('the proof of the owner for wallet', () => {
  test('is the password', async () => {
    const { id } = await service.user({ platform: 'teacher' });
    expect(errorsOf(await prove(id, { current_password: 'wrong' }))).toEqual([
      422,
      { current_password: ['The password is incorrect.'] },
    ]);
    const right = await prove(id, { current_password: PASSWORD });
    expect([right.status, right.body]).toEqual([200, {}]);
  });

  test('is a code, which is sent when there is neither, and is used up', async () => {
    const { id, email } = await service.user({ platform: 'teacher' });
    expect(errorsOf(await prove(id, {}))).toEqual([
      422,
      { current_password: ['A code has been sent. Send it as code to confirm.'] },
    ]);
    const code = await service.codeTo(email, 2);
    expect((await prove(id, { code })).status).toBe(200);
    expect(errorsOf(await prove(id, { code }))).toEqual([422, { code: ['The code is invalid.'] }]);
  });

  test('is for wallet alone, and a 404 for an unknown account', async () => {
    expect((await prove(999_999, { current_password: PASSWORD })).status).toBe(404);
    const stranger = service.api.service('messaging');
    expect((await stranger.post('/internal/users/1/proof', { address: '192.0.2.7' })).status).toBe(403);
  });
});

test('a teacher gets a mail about the outcome of a payout, whose reason cannot inject markup', async () => {
  const { id, email } = await service.user({ platform: 'teacher' });
  const news = { user_id: id, amount: 5_000, currency: 'XOF' };
  await service.receive(
    'money.announced',
    { ...news, what: 'payout_failed', details: 'Closed <b>account</b>' },
    'wallet',
  );
  await service.receive('money.announced', { ...news, what: 'payout_paid' }, 'wallet');
  await service.receive('money.announced', { user_id: id, what: 'account_added' }, 'wallet');
  const letters = await eventually('the letters are sent', async () => {
    const sent = (await service.mailsTo(email)).filter(({ code }) => code === undefined);
    return sent.length >= 3 && sent;
  });
  expect(letters.map(({ subject }) => subject).sort()).toEqual([
    'A payout account was added',
    'Your withdrawal failed',
    'Your withdrawal was paid',
  ]);
  const failed = letters.find(({ subject }) => subject === 'Your withdrawal failed')!;
  expect(failed.text).toBe(
    'Your withdrawal of 5,000 XOF could not be paid. The money is available in your wallet again.\nReason: Closed <b>account</b>\n',
  );
});
