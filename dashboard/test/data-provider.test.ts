import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import { SECRETS, startSystem, type System } from '../../test/journeys/system.ts';
import { createAuthProvider } from '../src/auth-provider.ts';
import { createDataProvider, type ServerProvider } from '../src/data-provider.ts';
import { bindings } from '../src/data/bindings.ts';
import { allRights } from '../src/data/rights.ts';
import { createClient } from '../src/server/server.ts';

let system: System;
let paths: Record<string, Record<string, unknown>>;
let student: Person;
let token: string | undefined;
/** The client's requests, such as `POST /api/admin/skills`. */
const sent: string[] = [];
let provider: ServerProvider;
let realFetch: typeof fetch;

beforeAll(async () => {
  system = await startSystem();
  const document = await system.request('GET', 'api/openapi.json');
  ({ paths } = document.body as { paths: typeof paths });
  student = await register(system, 'student', 'Awa Diallo');
  token = await adminToken(system);
  realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return realFetch(request);
  };
  provider = createDataProvider(client());
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  await system.stop();
});

const client = (language = 'en') => createClient({ baseUrl: system.url, token: () => token, language: () => language });
const listed = { pagination: { page: 1, perPage: 10 }, sort: { field: 'id', order: 'DESC' as const }, filter: {} };

/** Whether the OpenAPI document has the operation of a request. */
function isDocumented(request: string): boolean {
  const [method = '', path = ''] = request.split(' ');
  const form = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
  return Object.entries(paths).some(([template, item]) => form(template).test(path) && method.toLowerCase() in item);
}

describe('the data provider', () => {
  test.each(Object.keys(bindings))('sends only requests of the OpenAPI document for %s', async (resource) => {
    sent.length = 0;
    const id = '1';
    const tries: [string, () => Promise<unknown>][] = [
      ['getList', () => provider.getList(resource, listed)],
      ['getOne', () => provider.getOne(resource, { id })],
      ['create', () => provider.create(resource, { data: {} })],
      ['update', () => provider.update(resource, { id, data: {}, previousData: { id } })],
      // This record does not exist, so nothing is deleted.
      ['delete', () => provider.delete(resource, { id: '999999', previousData: { id: '999999' } })],
    ];
    // The server may refuse these requests; only undocumented requests are an error.
    for (const [, attempt] of tries) await attempt().catch(() => undefined);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((request) => !isDocumented(request))).toEqual([]);
  });

  test('pages and filters lists at the server, and rejects with its validation errors', async () => {
    const found = await provider.getList('people', { ...listed, filter: { q: 'diallo', platform: 'student' } });
    expect(found).toMatchObject({ total: 1, data: [{ id: student.id, name: 'Awa Diallo' }] });
    expect(await provider.getList('people', { ...listed, filter: { platform: 'teacher' } })).toMatchObject({
      total: 0,
    });
    const wrong = provider.getList('people', { ...listed, filter: { platform: 'parent' } });
    await expect(wrong).rejects.toMatchObject({ status: 422, body: { errors: { platform: expect.any(String) } } });
  });

  test('searches, sorts and pages a list that the server returns in full', async () => {
    const page = async (more: object) =>
      (await provider.getList('skills', { ...listed, ...more })).data as { name: string }[];
    const names = (await page({ pagination: { page: 1, perPage: 100 }, sort: { field: 'name', order: 'ASC' } })).map(
      ({ name }) => name,
    );
    expect(names.length).toBeGreaterThan(5);
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
    const second = await page({ pagination: { page: 2, perPage: 2 }, sort: { field: 'name', order: 'ASC' } });
    expect(second.map(({ name }) => name)).toEqual(names.slice(2, 4));
    const [some = ''] = names;
    expect((await page({ filter: { q: some.toUpperCase() } })).map(({ name }) => name)).toContain(some);
  });

  test('passes validation errors of the server on to the fields of the form', async () => {
    const refused = provider.create('skills', { data: { name: '' } });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      body: { errors: { name: 'The name field is required.' } },
    });
  });

  test('gets messages in the language of the reader', async () => {
    const refused = createDataProvider(client('fr')).create('skills', { data: { name: '' } });
    await expect(refused).rejects.toMatchObject({ body: { errors: { name: expect.stringMatching(/obligatoire/) } } });
  });

  test('sends two identical concurrent writes once', async () => {
    sent.length = 0;
    const create = () => provider.create('skills', { data: { name: 'Astronomy' } });
    const [one, other] = await Promise.all([create(), create()]);
    expect(one).toEqual(other);
    expect(sent).toEqual(['POST /api/admin/skills']);
  });

  test('sends only changed fields, so that two administrators do not undo each other’s changes', async () => {
    const { data: plan } = await provider.create('plans', { data: { name: 'Gold', points: 10, image_cost: 5 } });
    await provider.update('plans', { id: plan.id, data: { ...plan, points: 20 }, previousData: plan });
    await provider.update('plans', { id: plan.id, data: { ...plan, name: 'Golden' }, previousData: plan });
    const { data: now } = await provider.getOne('plans', { id: plan.id });
    expect(now).toMatchObject({ name: 'Golden', points: 20 });
  });

  test('rejects with 401 for an invalid token, and with 403 for a user who is no administrator', async () => {
    const at = (ownToken: string) =>
      createDataProvider(createClient({ baseUrl: system.url, token: () => ownToken, language: () => 'en' })).getList(
        'people',
        listed,
      );
    await expect(at('1|nobody')).rejects.toMatchObject({ status: 401 });
    await expect(at(student.token)).rejects.toMatchObject({ status: 403 });
  });

  test('rejects the download of a file that is not there with the status and message of the server', async () => {
    const download = (id: string) =>
      provider.download((of) =>
        of.GET('/api/admin/payout-batches/{id}/file', { params: { path: { id } }, parseAs: 'blob' }),
      );
    await expect(download('999999')).rejects.toMatchObject({ status: 404, message: 'Payout batch not found.' });
  });

  test('rejects with status 0 without a connection', async () => {
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:9', token: () => token, language: () => 'en' });
    const request = createDataProvider(nowhere).request((any) => any.POST('/api/admin/auth/logout'));
    await expect(request).rejects.toMatchObject({ status: 0, message: 'states.offline' });
  });
});

describe('the auth provider', () => {
  function signedOut() {
    let stored: string | undefined;
    const session = {
      token: () => stored,
      open: (opened: string) => void (stored = opened),
      identify: () => undefined,
      close: () => void (stored = undefined),
      end: () => void (stored = undefined),
    };
    const ownClient = createClient({ baseUrl: system.url, token: session.token, language: () => 'en' });
    return { client: ownClient, session, auth: createAuthProvider(ownClient, session) };
  }
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = SECRETS;

  test('signs in, returns the identity, and signs out at the server', async () => {
    const { session, auth } = signedOut();
    await expect(auth.checkAuth({})).rejects.toMatchObject({ status: 401 });
    await auth.login({ email, password });
    await auth.checkAuth({});
    expect(await auth.getIdentity?.()).toMatchObject({ email });
    expect(await auth.getPermissions?.({})).toMatchObject({ level: 'su', roles: ['all'] });
    const oldToken = session.token();
    await auth.logout({});
    expect(session.token()).toBeUndefined();
    const isOver = async () => (await as(system, oldToken!).get('api/admin/auth/me')).body.statusCode === 403;
    await eventually('the session has ended', isOver);
  });

  test('rejects a wrong password with the message of the server', async () => {
    const { session, auth } = signedOut();
    await expect(auth.login({ email, password: 'wrong' })).rejects.toMatchObject({ message: 'Invalid credentials.' });
    expect(session.token()).toBeUndefined();
  });

  test('closes the session on a 401, and keeps it on any other error', async () => {
    const { session, auth } = signedOut();
    await auth.login({ email, password });
    await auth.checkError({ status: 403 });
    await auth.checkError({ status: 500 });
    expect(session.token()).toBeDefined();
    await expect(auth.checkError({ status: 401 })).rejects.toMatchObject({ status: 401 });
    expect(session.token()).toBeUndefined();
  });

  test('reads the roles and rights of other administrators, and all rights where the server has none', async () => {
    const finance = { email: 'finance@example.com', password: 'a long enough secret' };
    data(
      await as(system, token!).post('api/admin/admins', {
        ...finance,
        name: 'Finance',
        phone_number: '+22890112244',
        roles: ['finance'],
      }),
    );
    const { auth } = signedOut();
    await auth.login(finance);
    expect(await auth.getPermissions?.({})).toEqual({
      level: 'default',
      roles: ['finance'],
      rights: ['people', 'contacts', 'money', 'payout', 'figures'],
    });
    const ofOlder = signedOut();
    ofOlder.client.use({
      onRequest: ({ schemaPath }) =>
        schemaPath.endsWith('/rights')
          ? Response.json({ success: false, statusCode: 404, message: 'There is no route.' }, { status: 404 })
          : undefined,
    });
    await ofOlder.auth.login(finance);
    expect(await ofOlder.auth.getPermissions?.({})).toEqual({ level: 'default', roles: ['all'], rights: allRights() });
  });
});
