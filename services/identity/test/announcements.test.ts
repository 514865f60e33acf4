import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const news = { id: 3, amount: 5_000, currency: 'XOF' };
const newestTo = (to: string, count: number) =>
  eventually(`mail ${count} to ${to}`, async () => {
    const mails = await service.mailsTo(to);
    return mails.length >= count && mails.at(-1);
  });

test('a person gets mails about the own refunds, in the own language', async () => {
  const { id, email, token } = await service.user();
  const { length: before } = await service.mailsTo(email);
  const announce = (what: 'refund_sent' | 'refund_success' | 'refund_failed' | 'refund_rejected', details?: string) =>
    service.receive('money.announced', { user_id: id, what, ...news, ...(details !== undefined && { details }) });
  await announce('refund_sent');
  expect(await newestTo(email, before + 1)).toMatchObject({
    subject: 'Your refund is on its way',
    text: 'Your refund of 5,000 XOF has been sent to the payment provider.\nIt can take some days until the money arrives.\n',
  });
  await service.api.service('gateway').post('/internal/tokens/verify', { token, language: 'fr' });
  await announce('refund_rejected', 'Utilisé <b>hier</b>');
  const rejected = await newestTo(email, before + 2);
  expect(rejected).toMatchObject({ subject: 'Votre remboursement a été refusé' });
  expect(rejected.text).toContain('Motif\u00a0: Utilisé <b>hier</b>');
  for (const what of ['refund_success', 'refund_failed'] as const) await announce(what);
  await newestTo(email, before + 4);
});

test('news about an unknown person are dropped', async () => {
  await service.receive('money.announced', { user_id: 999_999, what: 'refund_sent', ...news });
  expect(await service.rows('select name from dead_letter')).toEqual([]);
});
