import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { messageJson, publish } from '../contract/publish.ts';
import { publishSql } from '../kit/events/publish/outbox.ts';
import { rows } from '../kit/database/sql.ts';
import { createLoops } from '../kit/events/relay/relay.ts';
import { housekeeping, MORE } from '../kit/jobs.ts';
import { COMPILE_CACHE } from '../testing/compile-cache.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { infra } from '../testing/infra.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { testKeys } from '../testing/keys.ts';
import { eventually } from '../testing/wait.ts';
import { relaying } from './relay-replica.ts';
import { relayOf } from './relay-view.ts';

let publisher: TestService;
beforeEach(async () => {
  publisher = await startTestService(relaying);
});
afterEach(() => publisher.stop());

const change = (name: string, value: number) =>
  publisher.service.database.transact((tx) =>
    publish(tx, [{ name: 'setting.changed', data: { name, value, version: value } }]),
  );
const publishLive = (id: number) =>
  publisher.service.database.transact((tx) =>
    publish(tx, [{ to: { user: id }, event: 'wallet.balance', data: { balance: id, available: id, held: 0 } }]),
  );

const { stored, unsent, drained, lease, renewed } = relayOf(() => publisher);
const settings = async (name: string) =>
  (await stored('events-identity')).filter((data) => data['name'] === name).map(({ value }) => value);

/** Calls `work` with a separate connection to the database. */
async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: publisher.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('the leader of the relay', () => {
  const others: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of others.splice(0)) {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    }
  });

  /** Starts another replica in a separate process, and makes it the leader instead of this process, the `own` holder. */
  async function startLeader() {
    const { config } = publisher;
    const env = {
      ...Object.fromEntries(Object.entries(config).map(([key, value]) => [key, `${value as string}`])),
      ...testKeys('identity'),
      ...COMPILE_CACHE,
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'relay-replica.ts')], { env, stdio: 'inherit' });
    others.push(child);
    const own = await eventually('somebody leads', lease);
    await eventually('the other one leads', async () => {
      await publisher.rows('update lease set until = clock_timestamp() where holder = $1', [own.holder]);
      return (await lease())?.holder !== own.holder;
    });
    return { child, own: own.holder };
  }

  test('is replaced when it hangs, and nothing is sent twice when it wakes up', async () => {
    const { child, own } = await startLeader();
    // Meanwhile the previous leader has noticed.
    await renewed(3);
    await change('hung', 1);
    await drained();
    child.kill('SIGSTOP');
    for (const value of [2, 3, 4]) await change('hung', value);
    await drained();
    expect((await lease())?.holder).toBe(own);
    child.kill('SIGCONT');
    await change('hung', 5);
    await drained();
    expect(await settings('hung')).toEqual([1, 2, 3, 4, 5]);
  });

  test('is woken by commits of other replicas, also by those of single statements', async () => {
    await startLeader();
    await renewed(3);
    // Its own polls find nothing.
    await publisher.asOwner(
      `alter function outbox_next(text, bigint, bigint[], int) rename to next_rows;
       create function outbox_next(lane text, after bigint, known bigint[], up_to int) returns setof outbox
       language sql stable as $$ select * from next_rows(lane, after, known, up_to) where up_to > 1 $$`,
    );
    await change('hinted', 1);
    await drained();
    const event = messageJson({ name: 'setting.changed', data: { name: 'hinted', value: 2, version: 2 } });
    const insert = publishSql('(select $1::jsonb as event) as message', 'event');
    await publisher.service.database.autocommit((tx) => rows(tx, insert, [event]), { publishes: ['events'] });
    await drained();
    expect(await settings('hinted')).toEqual([1, 2]);
  });

  test('releases its lease when it stops', async () => {
    const before = await eventually('it leads', lease);
    await publisher.restart();
    await change('again', 1);
    await drained();
    expect((await lease())?.holder).not.toBe(before.holder);
  });

  test('resumes all streams after it lost its lease for a moment while one stream was sending', async () => {
    // Marking an event takes until the gate is open.
    await publisher.asOwner(
      `create table gate (shut boolean); insert into gate values (true);
       create function wait_for_gate() returns trigger language plpgsql as $$
       begin
         while exists (select from gate) loop perform pg_sleep(0.02); end loop;
         return new;
       end $$;
       create trigger gated before update on outbox for each row execute function wait_for_gate()`,
    );
    await eventually('it leads', lease);
    await withClient(async (other) => {
      await other.query('begin');
      await other.query(`select from lease where name = 'relay' for update`);
      await change('stuck', 1);
      const lost = `select from lease where name = 'relay' and until < clock_timestamp() - interval '200 milliseconds'`;
      await eventually('the lease is lost', async () => (await publisher.rows(lost)).length > 0);
      await other.query('commit');
      await eventually('it is taken again', async () => (await publisher.rows(lost)).length === 0);
    });
    await publisher.asOwner('delete from gate');
    await publishLive(1);
    await drained();
    expect(await stored('live')).toHaveLength(1);
  });

  test('has an overdue loop only when an iteration hangs, not when iterations fail or are slow', async () => {
    let now = 0;
    const loops = createLoops(100, () => now);
    let iterations = 0;
    const { promise: never, resolve: end } = Promise.withResolvers<void>();
    const running = loops.run(
      'probe',
      () => iterations > 20,
      async () => {
        iterations += 1;
        now += 100;
        expect(loops.isOverdue()).toBe(false);
        if (iterations === 20) await never;
      },
    );
    await eventually('it hangs', () => iterations === 20);
    now += 1;
    expect(loops.isOverdue()).toBe(true);
    end();
    await running;
    expect(iterations).toBe(21);
    expect(loops.isOverdue()).toBe(false);
  });
});

test('a relay whose connections are all silent continues with new ones, and the process stays live', async () => {
  const proxy = await startDatabaseProxy(infra().databaseUrl);
  const stranded = await startTestService(relaying, { databaseThrough: proxy.through });
  try {
    await eventually('it leads', async () => (await stranded.asOwner('select from lease')).length > 0);
    proxy.strand();
    await stranded.asOwner(
      `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
       values ('live.user.1.1', 'wallet.balance', 'user.1.1', 0, '{}', '{}')`,
    );
    const left = () => stranded.asOwner('select from outbox where sent_at is null');
    await eventually('it is sent', async () => (await left()).length === 0);
    expect((await fetch(`${stranded.url}/livez`)).status).toBe(200);
  } finally {
    await stranded.stop();
    await proxy.stop();
  }
});

test('thousands of events that one stream refuses do not delay events of another stream', async () => {
  const { jsm, named } = publisher.service.bus;
  await jsm.streams.update(named('events-identity'), { max_msg_size: 10 });
  const values = Array.from({ length: 3_000 }, (_none, index) => index);
  await publisher.service.database.transact((tx) =>
    publish(
      tx,
      values.map((value) => ({ name: 'setting.changed', data: { name: 'refused', value, version: value } })),
    ),
  );
  await publishLive(1);
  await eventually('the live event', async () => (await stored('live')).length === 1);
  // It is marked by the iteration after the one that sent it.
  await eventually('it alone is marked', async () => (await unsent()) === 3_000);
  await jsm.streams.update(named('events-identity'), { max_msg_size: -1 });
  await drained();
  expect(await settings('refused')).toEqual(values);
});

test('an event of a transaction that commits after later ids were sent is published before the next event of its noun', async () => {
  await withClient(async (slow) => {
    await slow.query('begin');
    await slow.query(
      `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
       values ('events.setting.changed', 'setting.changed', 'slow', 1, '{"name":"slow","value":1,"version":1}', '{}')`,
    );
    for (const value of [1, 2, 3]) await change('quick', value);
    await drained();
    await renewed(3);
    await change('quick', 4);
    await drained();
    await slow.query('commit');
    await change('slow', 2);
    await drained();
  });
  expect(await settings('quick')).toEqual([1, 2, 3, 4]);
  expect(await settings('slow')).toEqual([1, 2]);
});

test('an old event that an operator marks as unsent is sent again', async () => {
  await change('old', 1);
  await change('new', 1);
  await drained();
  await renewed(3);
  await publisher.rows(`update outbox set sent_at = null, event_id = uuidv7() where aggregate_id = 'old'`);
  await drained();
  expect(await settings('old')).toEqual([1, 1]);
});

test('polls read only a few index entries after 50,000 sent events that an old snapshot still sees', async () => {
  await withClient(async (reader) => {
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from outbox');
    await publisher.asOwner(
      `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
       select 'live.user.1.1', 'wallet.balance', 'user.1.1', 0, '{}', '{}' from generate_series(1, 50000)`,
    );
    await drained();
    const figures = async () =>
      (
        await publisher.rows<{ polls: number; entries: number }>(
          `select idx_scan as polls, idx_tup_read as entries from pg_stat_user_indexes
           where indexrelname = 'outbox_unsent_lane'`,
        )
      )[0]!;
    const [kept] = await publisher.rows<{ entries: number }>('select count(*)::int as entries from outbox');
    // Statistics arrive late, so the first measurements may include earlier scans.
    await eventually('most polls start after the sent rows', async () => {
      const [before, begun] = [await figures(), Date.now()];
      // Every five seconds a poll starts at the first row; one more may be counted late at each end.
      const fromTheBeginning = () => (Date.now() - begun) / 5_000 + 3;
      const after = await eventually('enough polls', async () => {
        await publishLive(2);
        const now = await figures();
        return now.polls - before.polls > 4 * fromTheBeginning() && now;
      });
      return after.entries - before.entries < (fromTheBeginning() + 1) * kept!.entries;
    });
    await publishLive(2);
    await drained();
  });
});

test('replicas share the deletion of many sent events', async () => {
  const { database } = publisher.service;
  const total = 60_000;
  await publisher.asOwner(
    `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, sent_at)
     select 'events.setting.changed', 'setting.changed', 'old', 0, '{}', '{}', now() - interval '14 days' - n * interval '1 second'
     from generate_series(1, $1::int) n`,
    [total],
  );
  await change('young', 1);
  const job = housekeeping(database);
  const drain = async () => {
    let full = 0;
    while ((await job.run()) === MORE) full += 1;
    return full;
  };
  // Open two connections first, so that neither replica has a head start.
  await Promise.all([rows(database.manager, 'select 1'), rows(database.manager, 'select 1')]);
  // Each step is done by one replica only.
  const steps = await Promise.all([drain(), drain()]);
  for (const own of steps) expect(own).toBeGreaterThan(0);
  expect(steps[0] + steps[1]).toBeLessThanOrEqual(total / 2_000);
  expect(await publisher.rows('select aggregate_id from outbox')).toEqual([{ aggregate_id: 'young' }]);
});
