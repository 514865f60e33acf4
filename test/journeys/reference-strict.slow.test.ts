import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { adminToken, register } from './people.ts';
import { createReferenceCheck, type OpenApi } from './reference.ts';
import { redocly, spectral } from './reference-lint.ts';
import { startSystem, type System } from './system.ts';

/* The guarantees for developers who generate code from `GET api/openapi.json?envelope=strict`. */

type Json = Record<string, unknown>;
interface Operation extends Json {
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}
interface Media {
  schema: Json;
  example?: unknown;
}
interface Reference {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

let system: System;
let source: string;
let reference: Reference;
beforeAll(async () => {
  system = await startSystem();
  source = (await system.request('GET', 'api/openapi.json?envelope=strict')).text;
  reference = JSON.parse(source) as Reference;
});
afterAll(() => system.stop());

const operationsOf = ({ paths, webhooks }: Reference) =>
  [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  );

/** Places of schemas that generators turn into anonymous types, unions or `any`. */
function faultsOf(node: unknown, at: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const entries = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples');
  const inner = entries.flatMap(([key, value]) => faultsOf(value, `${at}/${key}`));
  if (Array.isArray(node) || /\/(?:properties|schemas|headers|responses|parameters)$/.test(at)) return inner;
  const schema = node as Json & { properties?: Json; enum?: unknown[]; items?: object };
  const isNamed = /^\/components\/schemas\/\w+$/.test(at);
  const unions = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const options = (schema[key] ?? []) as Json[];
    return options.filter(({ type }) => type !== 'null').length > 1 ? [`${key} at ${at}`] : [];
  });
  const faults = {
    'without type': ('const' in schema || schema.enum) && !schema['type'],
    'enum without name': (schema.enum?.length ?? 0) > 1 && !isNamed,
    'object without name': Object.keys(schema.properties ?? {}).length > 0 && !isNamed,
    'any item': schema.items && Object.keys(schema.items).length === 0,
    not: 'not' in schema,
  };
  const found = Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [`${fault} at ${at}`] : []));
  return [...inner, ...unions, ...found];
}

test('every object and enum has a name, every value a type, and nothing is a union', () => {
  expect(faultsOf(reference, '')).toEqual([]);
  expect(Object.keys(reference.components.schemas)).toEqual(
    expect.arrayContaining(['IdentityUser', 'WalletDeposit', 'WalletDepositStatus', 'CallsCall', 'MessagingMessage']),
  );
});

test('every success has one named schema, and every refusal one under its own status', () => {
  const answers = operationsOf(reference).flatMap(({ name, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema;
      return schema ? [{ name: `${name} ${status}`, schema }] : [];
    }),
  );
  expect(answers.length).toBeGreaterThan(300);
  expect(answers.filter(({ schema }) => Object.keys(schema).join() !== '$ref').map(({ name }) => name)).toEqual([]);
  const accept = reference.paths['/api/call/accept']!['post']!;
  expect(Object.keys(accept.responses)).toEqual(['200', '401', '402', '403', '404', '422', '429', 'default']);
});

test('redocly (recommended) and spectral (oas) find no error and no warning', async () => {
  expect(await redocly(source)).toEqual([]);
  expect(await spectral(source)).toEqual([]);
});

test('answers to requests with `X-Envelope: strict` match this document', async () => {
  const { check } = createReferenceCheck(reference as unknown as OpenApi);
  const headers = { 'x-envelope': 'strict' };
  const student = await register(system, 'student', 'Awa Diallo');
  const admin = await adminToken(system);
  const requests = [
    { method: 'GET', path: 'api/skills', status: 200 },
    { method: 'GET', path: 'api/me', status: 401 },
    { method: 'GET', path: 'api/me', token: student.token, status: 200 },
    { method: 'GET', path: 'api/wallet', token: student.token, status: 200 },
    { method: 'GET', path: 'api/calls', token: student.token, status: 200 },
    { method: 'GET', path: 'api/calls/none', token: student.token, status: 404 },
    { method: 'POST', path: 'api/call/accept', token: student.token, status: 403 },
    { method: 'POST', path: 'api/paymentsall', status: 401 },
    { method: 'GET', path: 'api/admin/stats', status: 401 },
    { method: 'GET', path: 'api/admin/stats', token: admin, status: 200 },
    { method: 'POST', path: 'api/admin/usersall', token: admin, status: 200 },
    { method: 'POST', path: 'api/deposits', token: student.token, status: 422 },
  ];
  for (const { method, path, token, status } of requests) {
    const answer = await system.request(method, path, { headers, ...(token && { token }) });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    check(method, path, answer);
  }
});

test.each(['', '?envelope=strict'])('every example of a request and of an answer is valid: %s', async (query) => {
  const document = JSON.parse((await system.request('GET', `api/openapi.json${query}`)).text) as Reference;
  const ajv = new Ajv2020({ strict: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addFormat('time-zone', true).addFormat('binary', true);
  ajv.addSchema({ ...document, $id: 'openapi' });
  const media = operationsOf(document).flatMap(({ name, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).map((each) => ({ name, ...each })),
    ),
  );
  const samples = media.filter(({ example }) => example !== undefined);
  expect(samples.length).toBeGreaterThan(200);
  const wrong = samples.flatMap(({ name, schema, example }) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Json);
    return validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
  });
  expect(wrong).toEqual([]);
});
