import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { serviceConfig } from '../contract/config.ts';
import { rows } from '../kit/database/sql.ts';
import { publish } from '../contract/publish.ts';
import { on } from '../contract/subscriptions.ts';
import { integer, text, timestamp } from '../kit/http/declare/fields.ts';
import { AppError } from '../kit/errors.ts';
import { Reply, route } from '../kit/http/declare/route.ts';
import { defineService } from '../contract/service.ts';
import { watchRequests } from '../testing/responses.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';

const streams = { ended: 0, opened: [] as Readable[] };
/** A hook that the service awaits before it opens a stream. */
let beforeLines: () => Promise<void> = async () => undefined;

async function* linesOf(count: number, fails: boolean) {
  try {
    for (let line = 0; line < count; line += 1) {
      yield '123456789\n';
      if (line % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (fails) throw new AppError('unavailable', 'Nothing more.');
  } finally {
    streams.ended += 1;
  }
}

/** A service with routes and a subscription. */
const probe = defineService({
  name: 'calls',
  config: serviceConfig,
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: ({ database }) => ({
    routes: [
      route('post /api/settings/{name}', {
        summary: 'Change a setting',
        auth: 'admin',
        right: 'any',
        params: z.object({ name: z.string() }),
        body: z.object({ value: integer({ min: 1 }), note: text(10).optional() }),
        response: z.strictObject({ value: z.int(), at: timestamp() }),
        idempotent: true,
        handle: ({ params, body, once }) =>
          once(database, async (tx) => {
            publish(tx, [{ name: 'setting.changed', data: { name: params.name, value: body.value, version: 1 } }]);
            const [now] = await rows<{ at: string }>(tx, 'select app_now() as at');
            return { value: body.value, at: now!.at };
          }),
      }),
      route('get /api/lines', {
        summary: 'Lines of ten bytes, without end or until it fails',
        auth: 'public',
        query: z.object({ lines: integer({ min: 0 }).optional(), fails: z.literal('then').optional() }),
        response: z.string(),
        produces: 'text/plain',
        handle: async ({ query: { lines = Infinity, fails } }) => {
          await beforeLines();
          const body = Readable.from(linesOf(lines, fails !== undefined));
          streams.opened.push(body);
          return new Reply(body, { headers: { 'x-lines': 'yes' } });
        },
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
    subscriptions: [
      on('setting.changed', async (tx, data) => {
        if (data.name === 'poison') throw new Error('cannot');
        await rows(
          tx,
          'insert into dead_letter (consumer, event_id, name, message, error) values ($1, uuidv7(), $2, $3, $4)',
          ['consumed', data.name, '{}', String(data.value)],
        );
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

describe('a streamed answer', () => {
  const lines = (query: string) => fetch(`${service.url}/api/lines?${query}`);

  test('has its content type and headers and is complete', async () => {
    const answer = await lines('lines=100000');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-lines': 'yes',
    });
    expect(await answer.text()).toHaveLength(1_000_000);
    expect(await (await lines('lines=0')).text()).toBe('');
  });

  test('that fails before its first chunk is a refusal', async () => {
    const answer = await lines('lines=0&fails=then');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-lines')).toBeNull();
    expect(await answer.json()).toEqual({ code: 'unavailable', message: 'Nothing more.' });
  });

  test('that fails midway does not look complete to the client', async () => {
    const answer = await lines('lines=100000&fails=then');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('ends when its client disconnects', async () => {
    const before = streams.ended;
    const leaving = new AbortController();
    const answer = await fetch(`${service.url}/api/lines`, { signal: leaving.signal });
    await answer.body!.getReader().read();
    leaving.abort();
    await eventually('it ends', () => streams.ended === before + 1);
  });

  test('is closed if its client disconnected before it began', async () => {
    streams.opened.length = 0;
    const leaving = new AbortController();
    const left = Promise.withResolvers<void>();
    const stopWatching = watchRequests('/api/lines', ({ response }) => void response.once('close', left.resolve));
    const asked = Promise.withResolvers<void>();
    beforeLines = () => {
      asked.resolve();
      return left.promise;
    };
    const answer = fetch(`${service.url}/api/lines`, { signal: leaving.signal });
    await asked.promise;
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await eventually('it is closed', () => streams.opened[0]?.closed);
    beforeLines = async () => undefined;
    stopWatching();
  });
});

describe('a route', () => {
  test('answers plain JSON with microseconds', async () => {
    const answer = await service.api.admin().post('/api/settings/a', { value: '7' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ value: 7, at: expect.stringMatching(/\.\d{6}Z$/) });
  });

  test.each([
    ['an anonymous caller', 'anonymous' as const, 401, { code: 'unauthenticated', message: 'Unauthenticated.' }],
    ['a student', 'student' as const, 403, { code: 'forbidden', message: 'Unauthorized access' }],
  ])('refuses %s', async (_name, who, status, body) => {
    const api = who === 'student' ? service.api.student(1) : service.api.anonymous;
    const answer = await api.post('/api/settings/a', { value: 1 });
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  test('refuses invalid fields with a 422 and the messages of Laravel', async () => {
    const answer = await service.api.admin().post('/api/settings/a', { value: 0, note: 'longer than ten' });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      code: 'invalid',
      message: 'The value field must be at least 1. (and 1 more error)',
      errors: {
        value: ['The value field must be at least 1.'],
        note: ['The note field must not be greater than 10 characters.'],
      },
    });
  });

  test.each([
    ['malformed JSON', 'POST', '/api/settings/a', '{', 400, 'malformed'],
    ['an array', 'POST', '/api/settings/a', '[1]', 400, 'malformed'],
    ['null before another token', 'POST', '/api/settings/a', 'null 1', 400, 'malformed'],
    ['null', 'POST', '/api/settings/a', ' null\n', 422, 'invalid'],
    ['an empty list', 'POST', '/api/settings/a', '[ ]', 422, 'invalid'],
    ['blanks', 'POST', '/api/settings/a', ' \r\n\t', 422, 'invalid'],
    ['an unknown route', 'GET', '/api/nothing', undefined, 404, 'route_not_found'],
    ['a wrong method', 'DELETE', '/api/settings/a', undefined, 405, 'method_not_allowed'],
  ])('refuses %s', async (_name, method, path, body, status, code) => {
    const api = service.api.admin();
    const answer =
      method === 'POST' ? await api.post(path, body) : method === 'GET' ? await api.get(path) : await api.delete(path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test.each(['utf8', 'UTF-8', '"utf-8"', 'Utf8', 'utf_8'])(
    'accepts forms and JSON with the charset %s',
    async (charset) => {
      const post = (type: string, body: string) =>
        service.api.admin().post('/api/settings/a', body, { 'content-type': `${type}; charset=${charset}` });
      const type = 'application/x-www-form-urlencoded';
      expect((await post(type, 'value=7&note=%C3%A9')).status).toBe(200);
      expect((await post('application/json', '{"value":7,"note":"é"}')).status).toBe(200);
    },
  );

  test('lists its methods in the header Allow of a 405', async () => {
    expect((await service.api.admin().delete('/api/settings/a')).headers.get('allow')).toBe('POST');
  });

  test('treats a path with invalid encoding as unknown, not as a malformed request', async () => {
    const answer = await service.api.anonymous.get('/api/failure/%ff');
    expect([answer.status, answer.body.code]).toEqual([404, 'route_not_found']);
    expect((await service.api.admin().post('/api/settings/%00', { value: 1 })).status).toBe(404);
  });

  test('hides the details of an unexpected error', async () => {
    const answer = await service.api.anonymous.get('/api/failure');
    expect([answer.status, answer.body]).toEqual([500, { code: 'internal', message: 'Server Error' }]);
  });

  test('replays the answer for a repeated Idempotency-Key and refuses another body', async () => {
    const key = { 'idempotency-key': 'k1' };
    const first = await service.api.admin().post('/api/settings/idem', { value: 3 }, key);
    const again = await service.api.admin().post('/api/settings/idem', { value: 3 }, key);
    const other = await service.api.admin().post('/api/settings/idem', { value: 4 }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(other.status).toBe(422);
    expect((await service.published('setting.changed')).filter((event) => event.name === 'idem')).toHaveLength(1);
  });

  test.each(['Élève/1.0’', '日本', 'Élève'.normalize('NFD')])('accepts the header text %s', async (text) => {
    const key = { 'idempotency-key': Buffer.from(text).toString('latin1') };
    const post = () => service.api.admin().post(`/api/settings/text`, { value: text.length }, key);
    expect([(await post()).status, (await post()).headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test('refuses a header with a C1 control character in UTF-8', async () => {
    const key = { 'idempotency-key': Buffer.from('a\u0085').toString('latin1') };
    expect((await service.api.admin().post('/api/settings/text', { value: 1 }, key)).status).toBe(422);
  });
});

describe('events', () => {
  const consumed = async (name: string) =>
    (
      await service.rows<{ error: string }>(`select error from dead_letter where consumer = 'consumed' and name = $1`, [
        name,
      ])
    ).map((row) => row.error);

  test('are sent with the transaction and consumed once', async () => {
    await service.api.admin().post('/api/settings/changed', { value: 5 });
    await eventually('the event is consumed', async () => (await consumed('changed')).length > 0);
    expect(await consumed('changed')).toEqual(['5']);
  });

  test('cannot be published outside a transaction', () => {
    const { manager } = service.service.database;
    const messages = [{ name: 'setting.changed' as const, data: { name: 'x', value: 1, version: 1 } }];
    // @ts-expect-error: the plain connection is no Tx.
    expect(() => publish(manager, messages)).toThrow('inside a transaction');
  });

  test('become dead letters when their handler keeps failing, and do not block others', async () => {
    await service.api.admin().post('/api/settings/poison', { value: 1 });
    await service.api.admin().post('/api/settings/after', { value: 2 });
    await eventually('the next event is consumed', async () => (await consumed('after')).length > 0);
    const [letter] = await eventually('the dead letter', async () => {
      const letters = await service.rows<{ name: string; error: string }>(
        `select name, error from dead_letter where consumer = 'calls'`,
      );
      return letters.length > 0 && letters;
    });
    expect(letter).toEqual({ name: 'setting.changed', error: expect.stringContaining('cannot') });
  });

  test('are consumed after a restart of the process', async () => {
    await service.restart();
    await service.receive('setting.changed', { name: 'restarted', value: 9, version: 1 });
    expect(await consumed('restarted')).toEqual(['9']);
  });
});
