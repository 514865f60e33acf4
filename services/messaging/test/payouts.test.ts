import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

test('a teacher gets a push about the outcome of a payout, in the language of the device', async () => {
  const { service } = messaging;
  await service.receive('devices.changed', { user_id: 7, device_keys: ['phone-7'], language: 'fr', version: 1 });
  const news = { user_id: 7, amount: 5_000, currency: 'XOF' };
  await service.receive('money.announced', { ...news, what: 'payout_paid' });
  await service.receive('money.announced', { ...news, what: 'payout_failed', details: 'Compte clos' });
  await service.receive('money.announced', { user_id: 8, what: 'account_added' });
  const texts = await eventually('the pushes are sent', async () => {
    const sent = (await messaging.pushes()).filter(({ to }) => to === 'phone-7');
    return (
      sent.length >= 2 && sent.map(({ subject, text }) => `${subject}: ${text}`.replaceAll(/[\u00a0\u202f]/g, ' '))
    );
  });
  expect(texts.sort()).toEqual([
    'Votre argent: Votre retrait de 5 000 XOF a été payé. (0 non lu)',
    'Votre argent: Votre retrait de 5 000 XOF n’a pas pu être payé. L’argent est de nouveau dans votre portefeuille. (Compte clos) (0 non lu)',
  ]);
});
