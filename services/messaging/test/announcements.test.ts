import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

test('devices get notifications about the own refunds, in their language', async () => {
  for (const [user_id, language] of [
    [1, 'en'],
    [2, 'fr'],
  ] as const)
    await messaging.service.receive('devices.changed', { user_id, device_keys: [`p${user_id}`], language, version: 1 });
  for (const user_id of [1, 2])
    for (const what of ['refund_sent', 'refund_success', 'refund_failed', 'refund_rejected'] as const)
      await messaging.service.receive('money.announced', { user_id, what, id: 3, amount: 5_000, currency: 'XOF' });
  const sentTo = (key: string) =>
    eventually(`four notifications for ${key}`, async () => {
      const sent = (await messaging.pushes()).filter(({ to }) => to === key);
      return (
        sent.length >= 4 &&
        sent.map(({ subject, text }) => `${subject}: ${text.replace(/ \(0 (unread|non lu)\)$/, '')}`).sort()
      );
    });
  expect(await sentTo('p1')).toEqual([
    'Your money: Your refund of 5,000 XOF has been paid',
    'Your money: Your refund of 5,000 XOF has failed; the money is in your balance again',
    'Your money: Your refund of 5,000 XOF is on its way',
    'Your money: Your refund of 5,000 XOF was declined; the money is in your balance again',
  ]);
  expect((await sentTo('p2'))[0]).toMatch(/^Votre argent: Votre remboursement de 5\s000\sXOF/);
});
