import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../kit/database/open.ts';
import { row, rows, sweep } from '../kit/database/sql.ts';
import { housekeeping, MORE, startJobs } from '../kit/jobs.ts';
import { createLogger } from '../kit/process/logger.ts';
import { createMetrics } from '../kit/process/metrics.ts';
import { shutDown } from '../kit/process/process.ts';
import { cloneDatabase, type TestDatabase } from '../testing/infra.ts';
import { eventually } from '../testing/wait.ts';

const logger = createLogger('test', 'silent');
const tools = () => ({ logger, metrics: createMetrics('test'), reader: database.manager });
let clone: TestDatabase;
let database: Database;

beforeAll(async () => {
  clone = await cloneDatabase('calls');
  database = await openDatabase({ url: clone.url, name: 'test', pool: 3, logger });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

const count = async (table: string) =>
  (await row<{ count: number }>(database.manager, `select count(*) as count from ${table}`))!.count;

test('housekeeping deletes old rows in several steps and keeps recent ones', async () => {
  const { manager } = database;
  await rows(
    manager,
    `insert into inbox (consumer, event_id, received_at)
    select 'x', gen_random_uuid(), now() - interval '16 days' from generate_series(1, 4500)`,
  );
  await rows(
    manager,
    `insert into idempotency_key (caller, scope, key, fingerprint, created_at)
    select 'x', 'x', g, 'x', now() - interval '25 hours' from generate_series(1, 4500) g`,
  );
  await rows(manager, `insert into inbox (consumer, event_id) values ('x', gen_random_uuid())`);
  const jobs = startJobs([housekeeping(database)], tools());
  await eventually('the backlog is gone', async () => (await count('inbox')) + (await count('idempotency_key')) === 1);
  await jobs.stop();
});

test('a sweep deletes the oldest rows, skips locked ones, and returns whether there may be more', async () => {
  const { manager } = database;
  await rows(
    manager,
    `insert into idempotency_key (caller, scope, key, fingerprint, created_at)
    select 'x', 'x', g, 'x', now() - g * interval '1 day' from generate_series(1, 5) g`,
  );
  const step = () =>
    sweep(manager, {
      table: 'idempotency_key',
      where: `created_at < now() - interval '36 hours'`,
      age: 'created_at',
      limit: 2,
    });
  const keys = async () =>
    (await row<{ keys: string }>(manager, `select string_agg(key, '' order by key) as keys from idempotency_key`))!
      .keys;
  await database.transact(async (tx) => {
    await rows(tx, `select from idempotency_key where key = '5' for update`);
    expect(await step()).toBe(true);
    expect(await keys()).toBe('125');
  });
  expect([await step(), await keys()]).toEqual([true, '1']);
  expect([await step(), await keys()]).toEqual([false, '1']);
});

test('a job with more work continues at once, and can be stopped between steps', async () => {
  let steps = 0;
  const jobs = startJobs(
    [
      {
        name: 'long',
        purpose: '',
        everyMs: 3_600_000,
        run: () => Promise.resolve((steps += 1) < 3 ? MORE : undefined),
      },
    ],
    tools(),
  );
  await eventually('the third step', () => steps === 3);
  await jobs.stop();
  const endless = startJobs(
    [{ name: 'endless', purpose: '', everyMs: 1, run: () => new Promise((resolve) => setImmediate(resolve, MORE)) }],
    tools(),
  );
  await endless.stop();
});

test('a timed job runs only when work is due, and counts as successful while none is', async () => {
  const { metrics } = tools();
  const { manager } = database;
  const takeDue = `delete from idempotency_key where scope = 'timed' and created_at <= clock_timestamp() returning key`;
  const taken: string[] = [];
  let runs = 0;
  const run = async () => {
    runs += 1;
    taken.push(...(await rows<{ key: string }>(manager, takeDue)).map(({ key }) => key));
  };
  const dueIn = `(select min(created_at) from idempotency_key where scope = 'timed') - clock_timestamp()`;
  const jobs = startJobs([{ name: 'timed', purpose: '', dueIn, run }], { ...tools(), metrics });
  const polls = async () =>
    (await metrics.registry.getSingleMetric('job_runs_total')!.get()).values.find(
      ({ labels }) => labels['job'] === 'poll',
    )?.value ?? 0;
  const add = (key: string, inMs: number) =>
    rows(
      manager,
      `insert into idempotency_key (caller, scope, key, fingerprint, created_at)
      values ('x', 'timed', $1, 'x', clock_timestamp() + $2 * interval '1 millisecond')`,
      [key, inMs],
    );
  await add('far', 3_600_000);
  await eventually('three polls', async () => (await polls()) >= 3);
  expect(runs).toBe(1);
  await add('overdue', -1);
  await add('soon', 300);
  await eventually('both are done', () => taken.length === 2);
  await jobs.stop();
  expect(taken.toSorted()).toEqual(['overdue', 'soon']);
  const { values } = await metrics.registry.getSingleMetric('job_runs_total')!.get();
  expect(values.find(({ labels }) => labels['job'] === 'timed')!.value).toBeGreaterThan(runs);
});

test('a failed job without due work is retried at each poll, and is no success until a run succeeds', async () => {
  const { metrics } = tools();
  let tries = 0;
  const run = async () => {
    if ((tries += 1) < 4) throw new Error('another service is away');
    return Promise.resolve();
  };
  const outcomes = async () => (await metrics.registry.getSingleMetric('job_runs_total')!.get()).values;
  const done = async () =>
    (await outcomes()).find(({ labels }) => labels['job'] === 'pay' && labels['outcome'] === 'done')?.value ?? 0;
  const jobs = startJobs([{ name: 'pay', purpose: '', dueIn: `interval '1 hour'`, run }], { ...tools(), metrics });
  await eventually('three have failed', () => tries === 3);
  expect(await done()).toBe(0);
  await eventually('it is a success', async () => (await done()) > 0);
  await jobs.stop();
  expect(tries).toBe(4);
});

test('runs of a job are counted by outcome, and a failed run does not change the time of the last success', async () => {
  const { metrics } = tools();
  const lines: string[] = [];
  const loud = createLogger('test', 'warn', { write: (line) => void lines.push(line) });
  const before = Date.now() / 1_000;
  const outcomes = [() => Promise.resolve(MORE), () => Promise.reject(new Error('no'))];
  const run = () => (outcomes.shift() ?? (() => Promise.resolve()))();
  const job = { name: 'pay', purpose: 'pays', movesMoney: true, everyMs: 3_600_000, run };
  const jobs = startJobs([job], { ...tools(), logger: loud, metrics });
  await eventually('it has failed', () => lines.length === 1);
  await jobs.stop();
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'a job failed and will run again', job: 'pay', purpose: 'pays' });
  const { values } = await metrics.registry.getSingleMetric('job_runs_total')!.get();
  expect(values.map(({ labels, value }) => [labels['outcome'], value])).toEqual([
    ['done', 1],
    ['failed', 1],
  ]);
  const [last] = (await metrics.registry.getSingleMetric('job_last_success_seconds')!.get()).values;
  expect(last).toMatchObject({ labels: { job: 'pay', money: 'true' } });
  expect(last!.value).toBeGreaterThanOrEqual(before);
});

test('a part that hangs or fails while stopping is reported, and the others are stopped all the same', async () => {
  const stopped: string[] = [];
  const lines: string[] = [];
  const loud = createLogger('test', 'error', { write: (line) => void lines.push(line) });
  const stop = (name: string) => () => Promise.resolve(stopped.push(name));
  const never = new Promise(() => undefined);
  const phases = [
    { limitMs: 10, parts: { requests: () => never } },
    { limitMs: 1_000, parts: { relay: () => Promise.reject(new Error('no')), jobs: stop('jobs') } },
    { limitMs: 1_000, parts: { absent: undefined, database: stop('database') } },
  ];
  await expect(shutDown(phases, loud)).rejects.toThrow('could not stop: requests, relay');
  expect(stopped).toEqual(['jobs', 'database']);
  expect(lines.map((line) => (JSON.parse(line) as { part: string }).part)).toEqual(['requests', 'relay']);
});
