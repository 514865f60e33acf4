import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { openDatabase, type Database } from '../kit/database/open.ts';
import { rows } from '../kit/database/sql.ts';
import { AppError, invalid } from '../kit/errors.ts';
import { createLogger } from '../kit/process/logger.ts';
import { cloneDatabase, infra, sql, type TestDatabase } from '../testing/infra.ts';
import { eventually } from '../testing/wait.ts';
import { startTracing, traced } from '../kit/process/context.ts';

/** Personal data that must never be in a log. */
const CANARY = 'Awa-Diallo-7731';
const EMAIL = `${CANARY}@example.test`;

let lines: string[] = [];
const logger = createLogger('test', 'trace', { write: (line: string) => void lines.push(line) });
let exported = '';
let collector: Server;
let stopTracing: () => Promise<void>;
let clone: TestDatabase;
let database: Database;

beforeAll(async () => {
  collector = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => (exported += chunk.toString()));
    req.on('end', () => res.end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  stopTracing = await startTracing('test', process.env);
  clone = await cloneDatabase('identity');
  database = await openDatabase({ url: clone.url, name: 'test', pool: 2, logger });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
  await stopTracing();
  collector.close();
});

const run = (statement: string, parameters: unknown[] = []) => rows(database.manager, statement, parameters);
const REGISTER = `insert into registration (email_key, address_key, submission, password_hash) values ($1, $1, $2, $3)`;
const registration = [EMAIL, JSON.stringify({ name: CANARY, phone_number: '+221771234567' }), CANARY];

const thrown: [string, () => unknown][] = [
  ['a unique key', () => run(REGISTER, registration).then(() => run(REGISTER, registration))],
  ['a check that fails', () => run('insert into plan (name, points, image_cost) values ($1, -1, 0)', [CANARY])],
  [
    'a missing value',
    () => run('insert into registration (submission, password_hash) values ($1, $1)', [`"${CANARY}"`]),
  ],
  ['text that is not a number', () => run('select $1::text::bigint', [CANARY])],
  ['text that is not JSON', () => run('select $1::text::jsonb', [`{"name": ${CANARY}`])],
  ['text that is not a date', () => run('select $1::text::timestamptz', [CANARY])],
  ['a prepared statement', () => rows(database.manager, 'select $1::text::bigint', [CANARY])],
  [
    'a refusal with a cause',
    () => new AppError('internal', 'no', { cause: Object.assign(new Error('x'), { CANARY }) }),
  ],
  ['a refusal of fields', () => invalid({ [CANARY]: [CANARY] }).errors],
  ['zod', () => z.strictObject({ n: z.number() }).parse({ n: CANARY, [CANARY]: CANARY })],
  [
    'an AggregateError',
    () => new AggregateError([Object.assign(new Error(`no ${EMAIL}`), { detail: CANARY }), CANARY], 'all'),
  ],
  ['a fetch that failed', () => fetch(`http://127.0.0.1:1/${CANARY}`, { headers: { authorization: CANARY } })],
  ['an invalid URL', () => new URL(CANARY)],
  ['text that V8 cannot parse as JSON', () => JSON.parse(`${CANARY} it's`) as unknown],
  ['an answer of a mail server', () => new Error(`550 5.1.1 <${EMAIL}>: user unknown; call +221 77 123 45 67`)],
  ['a string', () => CANARY],
  ['an object', () => ({ name: CANARY, message: CANARY, code: CANARY, stack: CANARY, cause: CANARY })],
  ['a list', () => [CANARY]],
];

const outcome = (work: () => unknown) =>
  traced('thrown', {}, async () => {
    throw await work();
  }).catch((error: unknown) => error);

test.each(thrown)('the log of %s contains no personal data', async (_name, work) => {
  lines = [];
  const err = await outcome(work);
  logger.error({ err }, 'failed');
  const text = lines.join('');
  expect(JSON.parse(text)).toMatchObject({ err: { type: expect.any(String) }, msg: 'failed' });
  expect(text).not.toContain(CANARY);
  expect(text).not.toMatch(/77 ?123/);
});

test('the log of a lost connection contains nothing of the database client', async () => {
  lines = [];
  await run('select 1');
  const { pathname } = new URL(clone.url);
  const terminate =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';
  await sql(infra().databaseUrl, terminate, [pathname.slice(1)]);
  await eventually('the loss is logged', () => lines.some((line) => line.includes('database connection lost')));
  for (const line of lines) {
    const { err } = JSON.parse(line) as { err: object };
    expect(Object.keys(err).filter((key) => !['code', 'message', 'stack', 'type'].includes(key))).toEqual([]);
  }
  expect(lines.join('')).not.toMatch(/secretKey|processID|connectionParameters/);
});

test('the log of an error has its causes and stack frames', () => {
  lines = [];
  logger.error({ err: new AppError('internal', 'no', { cause: new TypeError('why') }) }, 'failed');
  expect(JSON.parse(lines.join(''))).toMatchObject({
    err: {
      type: 'AppError',
      code: 'internal',
      message: 'no',
      stack: expect.stringContaining('error-report.test.ts'),
      cause: { type: 'TypeError', message: 'why', stack: expect.stringContaining('error-report.test.ts') },
    },
  });
});

test('traces contain statements but not their parameters', async () => {
  await eventually('the spans are exported', () => exported.includes('insert into registration'));
  await stopTracing();
  expect(exported).toContain('duplicate key value');
  expect(exported).not.toContain(CANARY);
});
