import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '@tutoring/shared/testing/wait';
import { operationsOf, type Document } from '../../dashboard/operations-of.ts';
import { schemaOf } from '../../shared/client/schema-of.ts';
import { ADDED, SPECIFIED } from './reference-paths.ts';
import type { OpenApi } from './reference.ts';
import { startSystem, type System } from './system.ts';

let system: System;
let document: OpenApi;

beforeAll(async () => {
  system = await startSystem();
  document = (await system.request('GET', 'api/openapi.json')).body as OpenApi;
});
afterAll(async () => {
  await system.stop();
});

const endpoints = `${SPECIFIED}${ADDED}`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string]);

test.each(endpoints)('%s %s is in the reference', (method, path) => {
  expect(document.paths[`/${path}`]?.[method.toLowerCase()]).toBeDefined();
});

test('the reference has no endpoint that is not listed', () => {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.slice(1)}`),
  );
  expect(found.sort()).toEqual(endpoints.map((endpoint) => endpoint.join(' ')).sort());
});

type Json = Record<string, unknown>;

/** Names of properties without an example, a fixed value or inner properties. */
function bareProperties(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Json;
  const isDescribed = ['$ref', 'const', 'enum', 'example', 'examples', 'not', 'pattern', 'format'].some(
    (key) => key in node,
  );
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (node[key] as Json[] | undefined) ?? []);
  const properties = Object.entries((node['properties'] as Json | undefined) ?? {});
  const inside = [
    ...properties.flatMap(([key, value]) => bareProperties(value, key)),
    ...(isDescribed ? [] : options.flatMap((option) => bareProperties(option))),
    ...(isDescribed ? [] : bareProperties(node['items'])),
  ];
  const isLeaf = 'type' in node && node['type'] !== 'null' && node['type'] !== 'object' && node['type'] !== 'array';
  return isLeaf && name && !isDescribed ? [name, ...inside] : inside;
}

test('every property of every request and response has an example', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item)) as unknown as {
    requestBody?: Json;
    responses: Record<string, Json>;
  }[];
  const media = operations.flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)]);
  const schemas = media.flatMap((part) =>
    Object.values((part?.['content'] as Record<string, { schema: unknown }> | undefined) ?? {}),
  );
  expect([...new Set(schemas.flatMap(({ schema }) => bareProperties(schema)))]).toEqual([]);
});

/** Places of objects with fields, but without a name, in the payload of an answer or a live event. */
function anonymousObjects(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...rest } = schema as Json & { properties?: Json };
  const data = properties && 'success' in properties ? properties['data'] : undefined;
  if (data) return anonymousObjects(data, at);
  const inner = Object.values(rest).flatMap((value) => anonymousObjects(value, at));
  return properties && Object.keys(properties).length > 0 ? [at, ...inner] : inner;
}

test('every noun in answers and live events has a name', () => {
  const { paths, webhooks, components } = document as unknown as Record<
    'paths' | 'webhooks',
    Record<string, Record<string, { responses: Record<string, Json>; requestBody?: Json }>>
  > & { components: { schemas: Record<string, Json> } };
  const answers = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      anonymousObjects(
        [responses['200'], responses['201']].map((answer) => answer?.['content']),
        `${method} ${path}`,
      ),
    ),
  );
  const events = Object.entries(webhooks).flatMap(([name, { post }]) =>
    name === 'resync' ? [] : anonymousObjects(post?.requestBody?.['content'], name),
  );
  const fields = Object.entries(components.schemas).flatMap(([name, { properties }]) =>
    /^(?:Identity|Wallet|Messaging|Calls)/.test(name)
      ? Object.entries(properties as Json).flatMap(([field, schema]) => anonymousObjects(schema, `${name}.${field}`))
      : [],
  );
  expect([...answers, ...events, ...fields]).toEqual([]);
});

const COMMITTED = new URL('../../shared/client/src/generated/schema.ts', import.meta.url);
const RIGHTS = new URL('../../dashboard/src/generated/operations.ts', import.meta.url);

test('the generated client is short', async () => {
  const committed = await readFile(COMMITTED, 'utf8');
  expect(committed.split('\n').length).toBeLessThan(9_500);
  expect(committed).not.toContain('@example');
});

test('the generated client matches this reference', async () => {
  const committed = await readFile(COMMITTED, 'utf8');
  if ((await schemaOf(document)) !== committed) {
    throw new Error('the interface has changed: run `npm start` and `npm run generate -w shared/client`');
  }
});

test("the dashboard's list of rights and contacts matches this reference", async () => {
  const committed = await readFile(RIGHTS, 'utf8');
  if (operationsOf(document as unknown as Document) !== committed)
    throw new Error('the rights have changed: run `npm start` and `npm run generate -w dashboard`');
});

test('the page of the reference loads no external resources', async () => {
  const page = await system.request('GET', 'api/docs');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  expect(page.text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
});

test('the tour in README.md and the example of the client work', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  const script = `set -euo pipefail\n${blocks.join('\n')}`;
  const env = { ...process.env, API: `${system.url}/api`, DATA: system.folder };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  const last = stdout.slice(stdout.lastIndexOf('{"success"'));
  expect(JSON.parse(last)).toEqual({
    success: true,
    statusCode: 200,
    data: { balance: 150, available: 150, held: 0, currency: 'XOF' },
  });

  // When wallet does not answer at once, the profile has the last received balance.
  const received = 'select from balance_copy where available = 9850';
  await eventually('identity has the balance', async () => (await system.sql('identity', received)).length > 0);
  const example = fileURLToPath(new URL('../../shared/client/example/lesson.ts', import.meta.url));
  const client = await promisify(execFile)(process.execPath, [example, system.url]);
  expect(client.stdout.split('\n')).toEqual([
    'Awa has 9850 to spend.',
    'The lesson with Kossi tomorrow is confirmed.',
    expect.stringMatching(/^Kossi hears it ring on channel [0-9a-f-]{36}\.$/),
    'Kossi is there: the meter runs.',
    'Step 1 is charged: 75 so far.',
    expect.stringMatching(/^The lesson took \d+ s and cost 75\.$/),
    'Awa gives 5 stars, and marks Kossi as a favourite.',
    '',
  ]);
});
