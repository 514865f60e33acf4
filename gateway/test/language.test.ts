import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answers } from './stand-in.ts';
import { admin, startSystem, student, type System } from './system.ts';

let system: System;
let user: string;
beforeAll(async () => {
  system = await startSystem({ env: { AUTH_RATE_LIMIT: '10000', API_RATE_LIMIT: '10000' } });
  user = system.login(student(1));
});
afterAll(() => system.stop());

const every = (behaviour: ReturnType<typeof answers>) => {
  for (const service of [system.identity, system.wallet, system.messaging, system.calls])
    service.respondWith(behaviour);
};
beforeEach(() => every(answers(200, { ok: true })));

const inFrench = (method: string, path: string, options: Parameters<System['api']>[2] = {}) =>
  system.api(method, path, { ...options, headers: { 'accept-language': 'fr-FR, en;q=0.5', ...options.headers } });
const plain = (statusCode: number, message: unknown) => ({ success: false, statusCode, message });
const refused = (code: string) => ({ code, message: 'Parce que.' });

test.each([
  ['fr_FR', 'fr'],
  ['fr_CA,fr;q=0.9,en_US;q=0.8', 'fr'],
  ['fr_FR.UTF-8', 'fr'],
  ['fr_FR@euro, en;q=0.5', 'fr'],
  ['FR_fr', 'fr'],
  ['en_US,fr;q=0.9', 'en'],
  ['en;q=0.1,fr_FR;q=0.9', 'fr'],
  ['de_DE, fr_BE;q=0.4', 'fr'],
  ['de_DE.UTF-8', 'en'],
  ['_', 'en'],
])('Accept-Language: %s is answered in %s', async (given, expected) => {
  const answer = await system.api('GET', '/api/x', { headers: { 'accept-language': given } });
  const french = 'La route api/x est introuvable.';
  expect(answer.body.message).toBe(expected === 'fr' ? french : 'The route api/x could not be found.');
});

describe('answers in French', () => {
  test.each<[string, string, string, [number, unknown], number, unknown]>([
    ['401', 'GET', '/api/rooms', [401, refused('unauthenticated')], 200, plain(401, 'Non authentifié.')],
    [
      '401 of payments',
      'POST',
      '/api/paymentsall',
      [401, refused('unauthenticated')],
      200,
      { data: plain(401, 'Veuillez vous authentifier pour continuer.') },
    ],
    ['403', 'GET', '/api/rooms', [403, refused('forbidden')], 200, plain(403, 'Accès non autorisé')],
    ['401 of administrators', 'GET', '/api/admin/stats', [401, refused('x')], 200, plain(403, 'Accès non autorisé')],
    ['404 of a service', 'GET', '/api/rooms/x', [404, refused('not_found')], 200, plain(404, 'Parce que.')],
    ['an unknown route', 'GET', '/api/x/', [200, {}], 404, plain(404, 'La route api/x est introuvable.')],
    [
      'an unsupported method',
      'PATCH',
      '/api/rooms',
      [200, {}],
      405,
      plain(405, 'La méthode PATCH n’est pas prise en charge pour cette route.'),
    ],
    ['429', 'GET', '/api/rooms', [429, refused('rate_limited')], 429, { message: 'Trop de tentatives.' }],
    ['500', 'GET', '/api/rooms', [500, refused('internal')], 500, plain(500, 'Erreur du serveur')],
    [
      'an invalid answer of a service',
      'GET',
      '/api/rooms',
      [404, 'nonsense'],
      502,
      plain(502, 'Un service n’a pas renvoyé de réponse valide. Veuillez réessayer.'),
    ],
    [
      '422',
      'POST',
      '/api/rooms',
      [422, { ...refused('invalid'), errors: {} }],
      422,
      { message: 'Parce que.', errors: {} },
    ],
  ])('%s', async (_name, method, path, upstream, line, body) => {
    every(answers(...upstream));
    const answer = await inFrench(method, path);
    expect([answer.status, answer.body]).toEqual([line, body]);
  });

  test('refuse a body that is too large or compressed', async () => {
    const large = await inFrench('POST', '/api/rooms', { body: 'x'.repeat(1024 * 1024 + 1) });
    expect(large.body).toEqual(plain(413, 'Le corps de la requête est trop volumineux.'));
    const packed = await inFrench('POST', '/api/rooms', { body: 'x', headers: { 'content-encoding': 'gzip' } });
    expect(packed.body).toEqual(plain(415, 'L’encodage du corps de la requête n’est pas pris en charge.'));
  });

  test('come from the event stream and the page of the API reference', async () => {
    expect((await inFrench('GET', '/api/events')).body).toEqual(plain(401, 'Non authentifié.'));
    const page = await inFrench('GET', '/api/docs');
    expect(page.text).toContain('<html lang="fr">');
    expect(page.text).toContain('<title>Plateforme de cours particuliers\u00a0: référence de l’interface</title>');
    expect((await system.api('GET', '/api/docs')).text).toContain('<html lang="en">');
  });

  test('report a service that is down', async () => {
    await system.calls.stop();
    const answer = await inFrench('GET', '/api/calls');
    await system.calls.start();
    expect(answer.body).toEqual(plain(503, 'Un service est indisponible. Veuillez réessayer.'));
  });
});

test.each([
  ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  ['de', 'en'],
])('services receive the language chosen for Accept-Language: %s', async (accepted, language) => {
  await system.api('GET', '/api/rooms', { headers: { 'accept-language': accepted } });
  expect(system.messaging.received.at(-1)?.headers['accept-language']).toBe(language);
});

describe('the language', () => {
  const sentLanguages = () =>
    system.identity.received.flatMap(({ path, body }) =>
      path === '/internal/tokens/verify' ? [(JSON.parse(body) as { language?: string }).language] : [],
    );
  const ask = (token: string, language: string) =>
    system.api('GET', '/api/rooms', { token, headers: { 'accept-language': language } });

  test.each([
    ['a user', () => system.login(student(3))],
    ['an administrator', () => system.login(admin(4))],
  ])('of %s is sent to identity whenever it changes', async (_who, login) => {
    const token = login();
    const before = sentLanguages().length;
    for (const language of ['fr', 'fr-CA', 'en', 'en', 'fr']) expect((await ask(token, language)).status).toBe(200);
    expect(sentLanguages().slice(before)).toEqual(['fr', 'en', 'fr']);
  });

  test('may change while identity is down: the request is served, and identity receives the change later', async () => {
    await ask(user, 'en');
    await system.identity.stop();
    expect((await ask(user, 'fr')).body).toMatchObject({ success: true });
    await system.identity.start();
    const before = sentLanguages().length;
    await ask(user, 'fr');
    expect(sentLanguages().slice(before)).toEqual(['fr']);
  });
});
