import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ALL_RIGHTS, claimedRights, distinctRoles, rightsOf, ROLE_NAMES, type Role } from '../contract/rights.ts';
import { serviceConfig } from '../contract/config.ts';
import { defineService } from '../contract/service.ts';
import { contact, contactOrNull, maskContact, maskOf, type Contact } from '../kit/http/declare/contacts.ts';
import { openApi } from '../kit/http/declare/openapi.ts';
import { JsonText, Reply, route, type Route } from '../kit/http/declare/route.ts';
import { mount } from '../kit/http/serve/mount.ts';
import type { AdminCaller } from '../kit/identity/auth.ts';
import { hasRight } from '../kit/identity/rights.ts';
import { startTestService, type TestService } from '../testing/service.ts';

describe('roles', () => {
  test.each<[Role[], string[]]>([
    [['all'], ALL_RIGHTS],
    [['support'], ['people', 'trust', 'desk', 'lessons']],
    [['finance'], ['people', 'contacts', 'money', 'payout', 'figures']],
    [['approver'], ['people', 'money', 'approve', 'figures']],
    [['viewer'], ['people', 'lessons', 'figures']],
    [
      ['finance', 'support'],
      ['people', 'contacts', 'trust', 'desk', 'lessons', 'money', 'payout', 'figures'],
    ],
    [['viewer', 'all'], ALL_RIGHTS],
  ])('an administrator with %p has the union of their rights', (roles, rights) => {
    expect(rightsOf('default', roles)).toEqual(rights);
  });

  test('a super administrator has every right, whatever the roles; an unknown role gives none', () => {
    expect(rightsOf('su', ['viewer'])).toEqual(ALL_RIGHTS);
    expect(rightsOf('default', ['a role of a later release'])).toEqual([]);
  });

  test('a repeated role counts once, and roles are kept in the order of the list', () => {
    expect(distinctRoles(['viewer', 'support', 'viewer'])).toEqual(['support', 'viewer']);
    expect(distinctRoles([...ROLE_NAMES].reverse())).toEqual(ROLE_NAMES);
  });

  test('an identity with every right carries no list, like one of an older release', () => {
    expect(claimedRights('su', ['viewer'])).toBeUndefined();
    expect(claimedRights('default', ['all'])).toBeUndefined();
    expect(claimedRights('default', ['viewer'])).toEqual(['people', 'lessons', 'figures']);
    expect(ALL_RIGHTS.filter((right) => !hasRight({ level: 'default' }, right))).toEqual([]);
    expect(ALL_RIGHTS.filter((right) => hasRight({ level: 'default', rights: ['desk', 'later'] }, right))).toEqual([
      'desk',
    ]);
    expect(ALL_RIGHTS.filter((right) => !hasRight({ level: 'su', rights: [] }, right))).toEqual([]);
  });
});

describe('the mask of a contact', () => {
  test.each<[Contact, string, string]>([
    ['email', 'awa@example.com', 'a…@e….com'],
    ['email', 'x@y.z', 'x…@y….z'],
    ['email', 'Émile.Zola@mail.exemple.co.fr', 'É…@m….fr'],
    ['email', '𝒶wa@𝓮xample.com', '𝒶…@𝓮….com'],
    ['email', 'root@localhost', 'r…@l…'],
    ['email', '"a@b.c"@example.com', '"…@e….com'],
    ['email', 'no address', '••••'],
    ['email', '', ''],
    ['phone_number', '+22890112233', '•••• 33'],
    ['phone_number', '12345', '•••• 45'],
    ['phone_number', '1234', '••••'],
    ['phone_number', '7', '••••'],
    ['phone_number', '', ''],
    ['account', '+22890445566', '•••• 5566'],
    ['account', '123456789', '•••• 6789'],
    ['account', '12345678', '••••'],
    ['account', '', ''],
    ['address', '12 rue des Cocotiers', ''],
    ['address', '', ''],
  ])('%s %p is %p, also when it is masked twice', (kind, given, masked) => {
    expect(maskContact(kind, given)).toBe(masked);
    expect(maskContact(kind, masked)).toBe(masked);
  });

  test('is applied at every depth of an answer; null, absent and other fields stay', () => {
    const person = z.strictObject({ email: contact('email'), account: contact('account').nullable().optional() });
    const schema = z.strictObject({
      ...person.shape,
      city: z.string(),
      people: z.array(person.nullable()),
      byId: z.record(z.string(), person),
      either: z.union([z.strictObject({ phone: contact('phone_number') }), z.literal('')]),
      both: z.intersection(person, z.object({ id: z.int() })),
    });
    const email = 'awa@example.com';
    const given = {
      email,
      account: null,
      city: email,
      people: [{ email, account: '+22890445566' }, null],
      byId: { one: { email } },
      either: { phone: '+22890112233' },
      both: { email, id: 1 },
    };
    const before = structuredClone(given);
    const hidden = 'a…@e….com';
    expect(maskOf(schema)!(given)).toEqual({
      email: hidden,
      account: null,
      city: email,
      people: [{ email: hidden, account: '•••• 5566' }, null],
      byId: { one: { email: hidden } },
      either: { phone: '•••• 33' },
      both: { email: hidden, id: 1 },
    });
    expect(given).toEqual(before);
    expect(maskOf(z.strictObject({ city: z.string() }))).toBeUndefined();
  });
});

const shown = z.strictObject({ email: contact('email'), account: contactOrNull('account') });
const person = { email: 'awa@example.com', account: '+22890445566' };
const masked = { email: 'a…@e….com', account: '•••• 5566' };

const probe = defineService({
  name: 'wallet',
  config: serviceConfig,
  migrations: new URL('../../services/wallet/migrations/', import.meta.url),
  build: () => ({
    routes: [
      ...(
        [
          ['plain', () => person],
          ['reply', () => new Reply(person, { headers: { 'x-kept': 'yes' } })],
          ['text', () => new Reply(new JsonText(JSON.stringify(person)))],
        ] as const
      ).map(([name, handle]) =>
        route(`get /api/admin/${name}`, { summary: name, auth: 'admin', right: 'money', response: shown, handle }),
      ),
      route('get /api/mine', { summary: 'Mine', auth: 'user', response: shown, handle: () => person }),
      route('post /api/both', { summary: 'B', auth: 'member', right: 'money', response: shown, handle: () => person }),
      route('put /api/admin/either/{id}', {
        summary: 'Either',
        auth: 'admin',
        right: 'payout',
        orRight: 'approve',
        params: z.object({ id: z.literal('1') }),
        body: z.object({ amount: z.int() }),
        response: z.strictObject({}),
        handle: () => ({}),
      }),
    ],
  }),
});

describe('a mounted route', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probe);
  });
  afterAll(() => service.stop());

  const admin = (rights?: string[]) =>
    service.api.as({ kind: 'admin', id: 9, name: 'Ada', level: 'default', tokenId: 9, ...(rights && { rights }) });
  const FORBIDDEN = [403, { code: 'forbidden', message: 'Unauthorized access' }];
  const answerOf = ({ status, body }: { status: number; body: unknown }) => [status, body];

  test.each(['plain', 'reply', 'text'])('masks contacts in an answer of the form %s', async (form) => {
    const path = `/api/admin/${form}`;
    expect(answerOf(await admin(['money']).get(path))).toEqual([200, masked]);
    expect(answerOf(await admin(['money', 'contacts']).get(path))).toEqual([200, person]);
    expect(answerOf(await admin().get(path))).toEqual([200, person]);
    expect(answerOf(await admin(['contacts']).get(path))).toEqual(FORBIDDEN);
    expect(answerOf(await service.api.admin('su').get(path))).toEqual([200, person]);
    const { headers } = await admin(['money']).get('/api/admin/reply');
    expect(headers.get('x-kept')).toBe('yes');
  });

  test('needs the right of administrators alone, and shows users their own contacts', async () => {
    expect(answerOf(await service.api.student(5).get('/api/mine'))).toEqual([200, person]);
    expect(answerOf(await service.api.student(5).post('/api/both'))).toEqual([200, person]);
    expect(answerOf(await admin(['money']).post('/api/both'))).toEqual([200, masked]);
    expect(answerOf(await admin(['people']).post('/api/both'))).toEqual(FORBIDDEN);
  });

  test('refuses a missing right before validation and before the record', async () => {
    for (const rights of [[], ['people', 'money', 'a right of a later release']])
      for (const [path, body] of [
        ['/api/admin/either/1', { amount: 'x' }],
        ['/api/admin/either/2', { amount: 1 }],
        ['/api/admin/either/1', '{'],
      ] as const)
        expect(answerOf(await admin(rights).put(path, body))).toEqual(FORBIDDEN);
    for (const right of ['payout', 'approve']) {
      expect((await admin([right]).put('/api/admin/either/1', { amount: 'x' })).status).toBe(422);
      expect((await admin([right]).put('/api/admin/either/1', { amount: 1 })).status).toBe(200);
    }
  });

  test('must declare the right exactly when administrators may call it', () => {
    const mounting = (spec: Partial<Route>) => () =>
      mount([{ ...service.service.parts.routes.find(({ path }) => path === '/api/admin/plain')!, ...spec }], {
        name: 'wallet',
        signer: {} as never,
        checkResponses: false,
      });
    expect(mounting({})).not.toThrow();
    expect(mounting({ right: 'any' })).not.toThrow();
    for (const auth of ['admin', 'member'] as const) {
      const undeclared = route('get /api/x', { summary: 'x', auth, response: shown, handle: () => person });
      const options = { name: 'wallet', signer: {} as never, checkResponses: false };
      expect(() => mount([undeclared], options)).toThrow('get /api/x: `right`');
    }
    for (const auth of ['su', 'user', 'public', 'service'] as const) expect(mounting({ auth })).toThrow('`right`');
  });

  test('shows its right and its contacts in the reference', () => {
    const document = openApi('wallet', service.service.parts.routes, {});
    const { put } = document.paths!['/api/admin/either/{id}']!;
    expect(put).toMatchObject({ 'x-auth': 'admin', 'x-right': 'payout', 'x-or-right': 'approve' });
    expect(put!.description).toContain('Needs the right `payout`, or `approve`.');
    const { get } = document.paths!['/api/admin/plain']!;
    expect(get!.description).toMatch(/right `money`.*masked.*`contacts`/s);
    const text = JSON.stringify(get);
    expect(text).toContain('"x-contact":"email"');
    expect(text).toContain('"x-contact":"account"');
    expect(document.paths!['/api/mine']!.get).not.toHaveProperty('x-right');
  });
});

test('the rights in an identity are names, so that another release may add some', () => {
  const caller: AdminCaller = { kind: 'admin', id: 1, name: 'A', level: 'default', tokenId: 1, rights: ['later'] };
  expect(hasRight(caller, 'any')).toBe(true);
  expect(hasRight(caller, 'people')).toBe(false);
});
