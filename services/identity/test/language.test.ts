import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { codeLetter, codeSms } from '../src/texts.ts';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const FRENCH = { 'accept-language': 'fr' };
const verifyIn = (token: string, language: string) =>
  service.api.service('gateway').post('/internal/tokens/verify', { token, language });
const newestTo = (to: string, count: number) =>
  eventually(`mail ${count} to ${to}`, async () => {
    const mails = await service.mailsTo(to);
    return mails.length >= count && mails.at(-1);
  });
const publishedLanguages = async (id: number) =>
  (await service.published('devices.changed')).flatMap((event) => (event.user_id === id ? [event.language] : []));

test('a registration in French gets its response and its code in French', async () => {
  const body = service.submission();
  const answer = await service.api.anonymous.post('/api/auth/register', body, FRENCH);
  expect(answer.body.message).toBe(
    'Votre compte a été créé. Veuillez consulter vos messages pour trouver le code de vérification.',
  );
  const code = await service.codeTo(body.email);
  expect(await newestTo(body.email, 1)).toMatchObject({
    subject: `${code} est votre code`,
    text:
      `${code}\n\nUtilisez ce code pour vérifier votre compte. Il est valable 10 minutes.\n` +
      'Si vous ne l’avez pas demandé, ignorez ce message et ne communiquez le code à personne.\n',
  });
  const verify = { email: body.email, phone_number: body.phone_number, code };
  const verified = await service.api.anonymous.post('/api/auth/register/verify', verify, FRENCH);
  expect(verified.body.message).toBe('Votre compte a été vérifié.');
  await service.api.anonymous.post('/api/auth/reset-password-send-code', { email: body.email });
  expect(await newestTo(body.email, 2)).toMatchObject({ subject: expect.stringMatching(/ est votre code$/) });
});

test('the HTML of an e-mail declares its language', () => {
  expect(codeLetter('reset', '123456', 'fr').html).toMatch(/^<!doctype html><html lang="fr">.*réinitialiser/);
  expect(codeLetter('contested', '123456', 'fr').text).toContain('retenu\u00a0: une fois le compte vérifié');
});

test('an SMS has at most 160 characters, all of the GSM alphabet', () => {
  expect(codeSms('123456', 'fr')).toMatch(/^[\x20-\x5f\x61-\x7e\u00e0\u00e8\u00e9\u00f9]{1,160}$/);
});

describe('a message that is sent later', () => {
  test("a message is in the language of the recipient's last request, not of the request that caused it", async () => {
    const { email, token } = await service.user();
    await verifyIn(token, 'fr');
    await service.api.anonymous.post('/api/auth/reset-password-send-code', { email });
    const code = await service.codeTo(email, 2);
    expect((await newestTo(email, 2)).subject).toBe(`${code} est votre code`);
    const checked = await service.api.anonymous.post('/api/auth/reset-password-verify-code', { email, code });
    const reset = { email, password: `${PASSWORD} 2`, reset_token: checked.body.reset_token };
    const answer = await service.api.anonymous.post('/api/auth/reset-password', reset);
    expect(answer.body.message).toBe('Your password has been reset. Please log in.');
    expect((await newestTo(email, 3)).subject).toBe('Votre mot de passe a été modifié');
  });

  test('each request sets the language of later messages; only changes are published for devices', async () => {
    const { id, email } = await service.user();
    const login = await service.login(email, PASSWORD, { device_key: `phone-${unique()}` });
    const token: string = login.body.token;
    for (const language of ['fr', 'fr', 'en', 'en']) expect((await verifyIn(token, language)).status).toBe(200);
    expect(await publishedLanguages(id)).toEqual(['en', 'fr', 'en']);
    await service.api.anonymous.post('/api/auth/reset-password-send-code', { email });
    expect((await newestTo(email, 2)).subject).toMatch(/ is your code$/);
  });

  test('the language of a person without a device is published, from the registration on', async () => {
    const body = service.submission();
    await service.api.anonymous.post('/api/auth/register', body, FRENCH);
    const verify = { email: body.email, phone_number: body.phone_number, code: await service.codeTo(body.email) };
    const { token, user } = (await service.api.anonymous.post('/api/auth/register/verify', verify)).body;
    expect(await publishedLanguages(user.id)).toEqual(['fr']);
    for (const language of ['fr', 'en', 'en', 'fr']) expect((await verifyIn(token, language)).status).toBe(200);
    expect(await publishedLanguages(user.id)).toEqual(['fr', 'en', 'fr']);
  });

  test('messages to administrators are in the language of their last request', async () => {
    const admin = await service.admin();
    await verifyIn(admin.token, 'fr');
    await service.api.anonymous.post('/api/admin/auth/reset-password-send-code', { email: admin.email });
    const code = await service.codeTo(admin.email);
    expect((await newestTo(admin.email, 1)).text).toContain('réinitialiser votre mot de passe d’administrateur');
    const reset = { email: admin.email, code, password: `${PASSWORD} 2` };
    await service.api.anonymous.post('/api/admin/auth/reset-password', reset);
    expect((await newestTo(admin.email, 2)).subject).toBe('Votre mot de passe a été modifié');
  });

  test('a new code of a registration is in the language of its submission', async () => {
    const body = service.submission();
    await service.api.anonymous.post('/api/auth/register', body, FRENCH);
    await service.codeTo(body.email);
    await service.api.anonymous.post('/api/auth/register/send-code', { email: body.email });
    const code = await service.codeTo(body.email, 2);
    expect((await newestTo(body.email, 2)).subject).toBe(`${code} est votre code`);
  });

  test('a verification with an unknown language, or without one, changes nothing', async () => {
    const { id, token, view } = await service.user();
    await verifyIn(token, 'fr');
    expect((await verifyIn(token, 'de')).status).toBe(200);
    await service.verifyToken(token);
    const [row] = await service.rows<{ language: string }>('select language from account where id = $1', [id]);
    expect(row!.language).toBe('fr');
    const { body } = await service.api.service('wallet').get(`/internal/users/${id}`);
    expect(body.updated_at).toBe(view.updated_at);
  });
});

test.each<[string, () => Promise<{ body: unknown }>, object]>([
  [
    'a login with a wrong password',
    () => service.api.anonymous.post('/api/auth/login', { email: 'x@example.com', password: 'x' }, FRENCH),
    { message: 'Identifiants invalides.' },
  ],
  [
    'a common password',
    () => service.api.anonymous.post('/api/auth/register', service.submission({ password: 'password1' }), FRENCH),
    { errors: { password: ['Le mot de passe est trop courant.'] } },
  ],
  [
    'an unknown plan',
    () =>
      service.api.anonymous.post('/api/auth/register', service.submission({ platform: 'teacher', plan: 99 }), FRENCH),
    { message: 'Le champ formule sélectionné est invalide.' },
  ],
  [
    'a teacher without a plan',
    () =>
      service.api.anonymous.post(
        '/api/auth/register',
        service.submission({ platform: 'teacher', plan: undefined }),
        FRENCH,
      ),
    { message: 'Le champ formule est obligatoire quand plateforme vaut teacher.' },
  ],
])('%s is refused in French', async (_name, ask, expected) => {
  expect((await ask()).body).toMatchObject(expected);
});
