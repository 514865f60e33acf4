import { describe, expect, test } from '@jest/globals';
import { ALL_RIGHTS, rightsOf, ROLES, type Role } from '@tutoring/shared/contract/rights';
import { operationsOf, type Document } from '../operations-of.ts';
import { bindings, type ResourceName } from '../src/data/bindings.ts';
import {
  allows,
  allowsAction,
  allRights,
  masks,
  operationOf,
  operationOfResource,
  type Rights,
} from '../src/data/rights.ts';
import { contacts, operations } from '../src/generated/operations.ts';

const ACTIONS = ['list', 'get', 'create', 'update', 'remove'] as const;
const RESOURCES = Object.keys(bindings) as ResourceName[];
const of = (...roles: Role[]): Rights => ({ level: 'default', roles, rights: rightsOf('default', roles) });
const SUPER: Rights = { level: 'su', roles: ['all'], rights: [] };

describe('the operation of a resource', () => {
  test.each(RESOURCES)('is in the reference for every action of %s', (resource) => {
    const known = ACTIONS.filter((action) => action in bindings[resource]);
    for (const action of known) expect(Object.keys(operations)).toContain(operationOfResource(resource, action));
    for (const action of ACTIONS.filter((name) => !known.includes(name)))
      expect(operationOfResource(resource, action)).toBeUndefined();
  });

  test('is the one that its function calls, and the first one of several', () => {
    expect(operationOfResource('people', 'update')).toBe('PUT /api/admin/users/{id}');
    expect(operationOfResource('administrators', 'create')).toBe('POST /api/admin/admins');
  });

  test.each(RESOURCES.filter((resource) => 'get' in bindings[resource]))(
    'needs the same for a page of %s as for its list, so that every link in a list opens',
    (resource) => {
      const [list, get] = (['list', 'get'] as const).map((action) => operationOfResource(resource, action)!);
      expect(operations[get!]).toEqual(operations[list!]);
    },
  );

  test('is an error for a call that the reference does not offer to administrators', () => {
    expect(() => operationOf((client) => client.GET('/api/wallet'))).toThrow('GET /api/wallet');
    expect(() => operationOf(() => undefined)).toThrow('no operation');
  });
});

describe('the rights', () => {
  const listed = (rights: Rights) => RESOURCES.filter((resource) => allowsAction(rights, resource, 'list'));
  const OPEN = ['skills', 'plans', 'services', 'settings', 'administrators'];
  const LESSONS = ['calls', 'bookings'];
  const MONEY = ['deposits', 'withdrawals', 'payouts', 'payments', 'disputes', 'refunds', 'breaks'];

  test.each<[Role, string[]]>([
    ['all', RESOURCES.filter((resource) => resource !== 'audit')],
    ['support', ['people', ...LESSONS, 'reviews', 'reports', ...OPEN]],
    ['finance', ['people', ...MONEY, ...OPEN]],
    ['approver', ['people', ...MONEY, ...OPEN]],
    ['viewer', ['people', ...LESSONS, ...OPEN]],
  ])('of the role %s open these lists', (role, lists) => {
    expect(listed(of(role))).toEqual(lists);
  });

  test('of several roles add up, and a super administrator has all', () => {
    expect(listed(of('support', 'finance'))).toEqual(RESOURCES.filter((resource) => resource !== 'audit'));
    expect(listed(SUPER)).toEqual(RESOURCES);
    expect(Object.keys(operations).filter((name) => !allows(SUPER, name as keyof typeof operations))).toEqual([]);
  });

  test('allow an operation with either of two rights, and none that only super administrators may call', () => {
    const decide = 'PUT /api/admin/withdrawals/{id}';
    expect([of('finance'), of('approver'), of('viewer')].map((rights) => allows(rights, decide))).toEqual([
      true,
      true,
      false,
    ]);
    expect(allows(of('all'), 'PUT /api/admin/deposits/{id}')).toBe(false);
  });

  test('before they are known allow only what needs none', () => {
    expect(listed({ level: '', roles: [], rights: [] })).toEqual(OPEN);
  });

  test('that a server of an older release is taken to give are all of them', () => {
    expect(allRights().toSorted()).toEqual(ALL_RIGHTS.toSorted());
  });

  test.each(Object.keys(ROLES) as Role[])(
    'of the role %s mask contacts unless it has the right to see them',
    (role) => {
      const isMasked = !rightsOf('default', [role]).includes('contacts');
      for (const [name, fields] of Object.entries(contacts))
        for (const field of fields) expect(masks(of(role), name as keyof typeof operations, field)).toBe(isMasked);
      expect(masks(of(role), 'GET /api/admin/users/{id}', 'name')).toBe(false);
      expect(masks(SUPER, 'GET /api/admin/users/{id}', 'email')).toBe(false);
    },
  );
});

describe('the generated list', () => {
  const answer = (data: object) => ({
    '200': { content: { 'application/json': { schema: { oneOf: [{ properties: { data } }, {}] } } } },
  });
  const document = {
    paths: {
      '/api/a': {
        get: { 'x-auth': 'admin', 'x-right': 'any', responses: {} },
        put: { 'x-auth': 'admin', 'x-right': 'payout', 'x-or-right': 'approve', responses: {} },
        post: { 'x-auth': 'su', responses: {} },
        delete: { 'x-auth': 'student', responses: {} },
      },
      '/api/admin/payout-batches': {
        post: {
          'x-auth': 'admin',
          'x-right': 'payout',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Batch' } } } },
          responses: {},
        },
      },
      '/api/b': {
        get: {
          'x-auth': 'member',
          'x-right': 'people',
          responses: answer({
            type: 'array',
            items: { properties: { user: { $ref: '#/components/schemas/User' }, id: {} } },
          }),
        },
      },
    },
    components: {
      schemas: {
        Batch: { properties: { format: { enum: ['csv'] } } },
        User: {
          properties: {
            email: { anyOf: [{ type: 'string', 'x-contact': 'email' }, { type: 'null' }] },
            friend: { $ref: '#/components/schemas/User' },
          },
        },
      },
    },
  };

  test('has the needs of each operation, and the contacts in lists, references and optional fields', () => {
    expect(
      operationsOf(document as unknown as Document)
        .split('\n')
        .slice(1),
    ).toEqual([
      expect.stringContaining('What administrators need'),
      'export const operations = {',
      '  "GET /api/a": [],',
      '  "GET /api/b": ["people"],',
      '  "POST /api/a": "su",',
      '  "POST /api/admin/payout-batches": ["payout"],',
      '  "PUT /api/a": ["payout","approve"],',
      '} as const;',
      '',
      expect.stringContaining('masked'),
      'export const contacts = {',
      '  "GET /api/b": ["user.email"],',
      '} as const;',
      '',
      expect.stringContaining('batch of payouts'),
      'export const payoutFormats = ["csv"] as const;',
      '',
    ]);
  });
});
