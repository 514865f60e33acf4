import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBatch } from '../kit/batch.ts';
import { serviceConfig } from '../contract/config.ts';
import { runInContext } from '../kit/process/context.ts';
import { rows } from '../kit/database/sql.ts';
import { publish } from '../contract/publish.ts';
import { day, email, integer, text } from '../kit/http/declare/fields.ts';
import { pageOf, paginate } from '../kit/http/declare/page.ts';
import { route } from '../kit/http/declare/route.ts';
import { sentences } from '../kit/http/read/validation.ts';
import type { Language } from '../kit/process/language.ts';
import { defineService } from '../contract/service.ts';
import { pluralize, localized } from '../kit/language/localized.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { texts } from '../kit/language/texts.ts';

const greetings = localized({
  en: { hello: 'Hello', people: { teacher: 'Teacher' } },
  fr: { hello: 'Bonjour', people: { teacher: 'Enseignant' } },
});

/** A service with texts. */
const probe = defineService({
  name: 'calls',
  config: serviceConfig,
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: ({ database }) => ({
    routes: [
      route('post /api/settings/{name}', {
        summary: 'Greets',
        auth: 'admin',
        right: 'any',
        params: z.object({ name: z.string().regex(/^[a-z]+$/) }),
        body: z.object({
          name: text(5),
          amount: integer({ min: 1 }),
          email: email().optional(),
          day: day().optional(),
          kind: z.enum(['a', 'b']).optional(),
        }),
        rules: async ({ fields }) => (fields.name === 'Awa' ? [[['name'], sentences.taken]] : []),
        response: z.object({ said: z.string() }),
        idempotent: true,
        handle: ({ params, body, once }) =>
          once(database, async (tx) => {
            publish(tx, [{ name: 'setting.changed', data: { name: params.name, value: body.amount, version: 1 } }]);
            return { said: `${greetings.hello} ${greetings.people.teacher}` };
          }),
      }),
      route('get /api/settingsall', {
        summary: 'A page',
        auth: 'public',
        response: pageOf(z.string()),
        handle: () => paginate({ items: [], total: 0, page: 1, perPage: 15, path: '/' }),
      }),
      route('get /api/failure', {
        summary: 'Fails',
        auth: 'public',
        response: z.never(),
        handle: () => {
          throw new Error('select secret from somewhere');
        },
      }),
    ],
  }),
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService(probe);
});
afterAll(async () => {
  await service.stop();
});

const asking = (acceptLanguage: string) => ({ 'accept-language': acceptLanguage });
const FRENCH = asking('fr');
const greet = (body: unknown, headers: Record<string, string>, path = '/api/settings/a') =>
  service.api.admin().post(path, body, headers);
const fine = { name: 'Sam', amount: 1 };

test.each([
  ['an empty header', '', 'en'],
  ['French', 'fr', 'fr'],
  ['French of a country', 'fr-CA', 'fr'],
  ['English of a country', 'en-GB', 'en'],
  ['the header of a phone', 'fr-FR,fr;q=0.9,en-US;q=0.8,en;q=0.7', 'fr'],
  ['two languages by quality', 'fr;q=0.5, en;q=0.7', 'en'],
  ['two languages of the same quality', 'fr, en', 'fr'],
  ['an unsupported language before French', 'de, fr;q=0.3', 'fr'],
  ['unsupported languages', 'de, wo', 'en'],
  ['any language', '*', 'en'],
  ['any language but English', 'en;q=0, *', 'fr'],
  ['an invalid header', ';;q=,,\u00e9;q=x', 'en'],
])('Accept-Language with %s is answered in the best match', async (_name, accepted, language) => {
  const { body } = await greet(fine, asking(accepted));
  expect(body).toEqual({ said: language === 'fr' ? 'Bonjour Enseignant' : 'Hello Teacher' });
});

describe('the French answer to', () => {
  test.each<[string, unknown, Record<string, string[]>, string]>([
    [
      'missing fields',
      {},
      { name: ['Le champ nom est obligatoire.'], amount: ['Le champ montant est obligatoire.'] },
      'Le champ nom est obligatoire. (et 1 autre erreur)',
    ],
    [
      'invalid fields',
      { name: 'much too long', amount: 0, email: 'x', day: '0000-01-01', kind: 'c' },
      {
        name: ['Le champ nom ne doit pas dépasser 5 caractères.'],
        amount: ['Le champ montant doit être au moins égal à 1.'],
        email: ['Le champ adresse e-mail doit être une adresse e-mail valide.'],
        day: ['Le champ jour doit être une date valide.'],
        kind: ['Le champ genre sélectionné est invalide.'],
      },
      'Le champ nom ne doit pas dépasser 5 caractères. (et 4 autres erreurs)',
    ],
    [
      'a value that is taken',
      { name: 'Awa', amount: 1 },
      { name: ['La valeur du champ nom est déjà utilisée.'] },
      'La valeur du champ nom est déjà utilisée.',
    ],
  ])('%s', async (_name, body, errors, message) => {
    const answer = await greet(body, FRENCH);
    expect([answer.status, answer.body]).toEqual([422, { code: 'invalid', message, errors }]);
  });

  test.each<[string, () => Promise<{ body: { message: string } }>, string]>([
    ['malformed JSON', () => greet('{', FRENCH), 'Le corps de la requête n’est pas du JSON valide.'],
    ['a list', () => greet('[1]', FRENCH), 'Le corps de la requête doit être un objet JSON.'],
    [
      'a body that is too large',
      () => greet({ name: 'x'.repeat(1_100_000) }, FRENCH),
      'Le corps de la requête est trop volumineux.',
    ],
    [
      'another charset',
      () => greet('{}', { ...FRENCH, 'content-type': 'application/json; charset=latin1' }),
      'Le jeu de caractères du corps de la requête n’est pas pris en charge.',
    ],
    [
      'another encoding',
      () => greet('{}', { ...FRENCH, 'content-encoding': 'lz' }),
      'L’encodage du corps de la requête n’est pas pris en charge.',
    ],
    ['an unknown record', () => greet(fine, FRENCH, '/api/settings/%00'), 'L’enregistrement est introuvable.'],
    [
      'an unknown route',
      () => service.api.admin().get('/api/nothing', FRENCH),
      'La route api/nothing est introuvable.',
    ],
    [
      'a wrong method',
      () => service.api.admin().delete('/api/settings/a', undefined, FRENCH),
      'La méthode DELETE n’est pas prise en charge pour cette route.',
    ],
    ['an anonymous caller', () => service.api.anonymous.post('/api/settings/a', {}, FRENCH), 'Non authentifié.'],
    [
      'a caller with the wrong role',
      () => service.api.student(1).post('/api/settings/a', {}, FRENCH),
      'Accès non autorisé',
    ],
    ['an unexpected error', () => service.api.anonymous.get('/api/failure', FRENCH), 'Erreur du serveur'],
  ])('%s', async (_name, ask, message) => {
    expect((await ask()).body.message).toBe(message);
  });

  test('a page has French links', async () => {
    const { body } = await service.api.anonymous.get('/api/settingsall', FRENCH);
    expect([body.links[0].label, body.links.at(-1).label]).toEqual(['&laquo; Précédent', 'Suivant &raquo;']);
  });
});

test('a stored answer is replayed unchanged, whatever the language of the repeat', async () => {
  const key = { 'idempotency-key': 'k1' };
  const first = await greet(fine, { ...key, ...FRENCH });
  expect((await greet(fine, key)).text).toBe(first.text);
  const other = await greet({ ...fine, amount: 2 }, { ...key, ...FRENCH });
  expect(other.body.message).toBe('L’Idempotency-Key a déjà servi pour un autre corps de requête.');
});

test('an event does not carry the language', async () => {
  await greet(fine, { ...FRENCH, 'x-request-id': 'r-fr' }, '/api/settings/event');
  const [published] = await rows<{ context: object }>(
    service.service.database.manager,
    `select context from outbox where aggregate_id = 'event'`,
  );
  expect(published?.context).toEqual({ requestId: 'r-fr' });
});

test('items of a batch are refused in the language of their requests', async () => {
  const work = createBatch<Language, string>({
    size: 1,
    atOnce: 1,
    maxWaitMs: 50,
    limitMs: 100,
    isWorthSplitting: () => false,
    processBatch: () => new Promise(() => undefined),
    processItem: () => new Promise(() => undefined),
  });
  const languages: Language[] = ['fr', 'en', 'fr'];
  const waiting = languages.map((language) =>
    runInContext({ requestId: 'r', language }, () => work(language).catch((error: Error) => error.message)),
  );
  expect(await Promise.all(waiting)).toEqual(
    languages.map((language) => runInContext({ requestId: 'r', language }, () => texts.busy)),
  );
});

test.each([
  ['en', ['0 things', '1 thing', '2 things']],
  ['fr', ['0 thing', '1 thing', '2 things']],
] as const)('plurals follow the rules of the language %s', (language, expected) => {
  expect([0, 1, 2].map((count) => pluralize({ one: ':count thing', other: ':count things' }, count, language))).toEqual(
    expected,
  );
});
