import { rows } from '../kit/database/sql.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publish } from '../contract/publish.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';
import { relaying } from './relay-replica.ts';
import { relayOf } from './relay-view.ts';

let publisher: TestService;
beforeEach(async () => {
  publisher = await startTestService(relaying);
});
afterEach(() => publisher.stop());

const { stored, unsent, drained, renewed } = relayOf(() => publisher);

test('an urgent event overtakes other events, but no earlier event of its noun', async () => {
  const { database, bus } = publisher.service;
  await bus.jsm.streams.update(bus.named('live'), { max_msg_size: 10 });
  const call = { identifier: 'x', channel: 'y', call_type: 'audio', student_id: 5, teacher_id: 4 } as const;
  const pair = { student: 5, teacher: 4 };
  const metered = (identifier: string, to: { student: number; teacher: number }) =>
    ({ to, event: 'call.metered', data: { identifier, steps: 1, total_cost: 1, next_due_at: '' } }) as const;
  const others = Array.from({ length: 1_500 }, (_none, nr) => metered(`${nr}`, { student: 7, teacher: 8 }));
  const rejected = { to: pair, event: 'call.rejected', data: call } as const;
  const outgoing = [...others, metered('before', pair), rejected, metered('after', pair), ...others];
  await database.transact((tx) => publish(tx, outgoing));
  await renewed(2);
  expect(await unsent()).toBe(3_003);
  await bus.jsm.streams.update(bus.named('live'), { max_msg_size: -1 });
  await drained();
  const order = (await stored('live')).map(({ identifier }) => identifier);
  const positions = ['before', 'x', 'after'].map((identifier) => order.indexOf(identifier));
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  expect(positions[1]).toBeLessThan(200);
  expect(order.length).toBe(3_003);
});

test('the end of a call does not overtake the earlier low-balance warning to its student', async () => {
  const { database, bus } = publisher.service;
  await bus.jsm.streams.update(bus.named('live'), { max_msg_size: 10 });
  const call = { identifier: 'x', channel: 'y', call_type: 'audio', student_id: 5, teacher_id: 4 } as const;
  const step = { identifier: 'other', steps: 1, total_cost: 1, next_due_at: '' };
  const other = { to: { student: 7, teacher: 8 }, event: 'call.metered', data: step } as const;
  const low = { identifier: 'low', available: 0, next_due_at: '' };
  const end = { ...call, reason: 'exhaustion', ended_at: '', total_duration: 1 } as const;
  const others = Array.from({ length: 1_500 }, () => other);
  await database.transact((tx) =>
    publish(tx, [
      ...others,
      { to: { user: 5 }, event: 'call.low_balance', data: low },
      ...others,
      { to: { student: 5, teacher: 4 }, event: 'call.ended', data: end },
    ]),
  );
  await renewed(2);
  await bus.jsm.streams.update(bus.named('live'), { max_msg_size: -1 });
  await drained();
  const order = (await stored('live')).map(({ identifier }) => identifier);
  expect(order.indexOf('low')).toBeLessThan(order.indexOf('x'));
  expect(order.indexOf('x')).toBeLessThan(200);
});

test('events are sent in order when the query for urgent events times out', async () => {
  await publisher.asOwner(
    `create or replace function outbox_urgent(lane text, after bigint, known bigint[], up_to int) returns setof outbox
     language plpgsql stable as $$ begin raise query_canceled using message = 'statement timeout'; end $$`,
  );
  const { database } = publisher.service;
  const data = { balance: 1, available: 1, held: 0 };
  const balances = Array.from({ length: 3_000 }, () => ({ to: { user: 5 }, event: 'wallet.balance', data }) as const);
  await database.transact((tx) => publish(tx, balances));
  await drained();
  expect(await stored('live')).toHaveLength(3_000);
});

test('events are sent while requests hold every connection and others wait for one', async () => {
  const { database } = publisher.service;
  const free = Promise.withResolvers<void>();
  const requests = Array.from({ length: publisher.config.DATABASE_POOL + 1 }, () =>
    database.transact(async (tx) => {
      await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
      await free.promise;
    }),
  );
  // The last request may time out waiting for a connection, which does not matter here.
  const settled = Promise.allSettled(requests);
  try {
    await eventually('one waits', () => database.pool.waitingCount > 0);
    await publisher.asOwner(
      `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
       values ('live.user.5.5', 'wallet.balance', 'user.5.5', 0, '{}', '{}')`,
    );
    const sent = () => publisher.asOwner('select from outbox where sent_at is not null');
    await eventually('the event is sent', async () => (await sent()).length === 1);
  } finally {
    free.resolve();
    await settled;
  }
});

test('a commit wakes the relay for the streams of its events alone', async () => {
  await publisher.asOwner(`
    create sequence reads;
    grant usage on sequence reads to public;
    alter function outbox_next(text, bigint, bigint[], int) rename to next_rows;
    create function outbox_next(lane text, after bigint, known bigint[], up_to int) returns setof outbox
    language plpgsql volatile as $$ begin
      if lane = 'events' then perform nextval('reads'); end if;
      return query select * from next_rows(lane, after, known, up_to);
    end $$`);
  const reads = async () => Number((await publisher.asOwner('select last_value as n from reads'))[0]!['n']);
  const { database } = publisher.service;
  const balance = { to: { user: 5 }, event: 'wallet.balance', data: { balance: 1, available: 1, held: 0 } } as const;
  const began = performance.now();
  const before = await reads();
  for (let nr = 0; nr < 300; nr += 1) await database.transact((tx) => publish(tx, [balance]));
  await drained();
  const taken = (await reads()) - before;
  // Its own polls, one per second, and the reads that follow them.
  expect(taken).toBeLessThanOrEqual(2 * ((performance.now() - began) / 900) + 2);
});
