import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createPace } from '../src/events/publish/pace.ts';
import { startTestService, type TestService } from '../src/testing/service.ts';
import { eventually } from '../src/testing/wait.ts';
import { relaying } from './relay-replica.ts';

let publisher: TestService;
beforeAll(async () => {
  publisher = await startTestService(relaying);
});
afterEach(() => publisher.asOwner('delete from outbox'));
afterAll(() => publisher.stop());

/** An event that no lane sends, written that long ago. */
const waiting = (since: string) =>
  publisher.asOwner(
    `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, created_at)
     values ('nowhere.x', 'x', '1', 1, '{}', '{}', clock_timestamp() - $1::interval)`,
    [since],
  );

/** Whether a writer is still held back when the database has answered some other questions. */
async function holdsBack(write: Promise<void>): Promise<boolean> {
  let isHeld = true;
  void write.then(() => (isHeld = false));
  for (let n = 0; n < 5; n += 1) await publisher.rows('select 1');
  return isHeld;
}

test('while events are behind writers are held back until they are sent', async () => {
  await waiting('1 second');
  const keepPace = createPace(publisher.service.database.manager, Infinity);
  const writers: Promise<void>[] = [];
  await eventually('it knows', async () => {
    const write = keepPace();
    writers.push(write);
    return holdsBack(write);
  });
  await publisher.asOwner('update outbox set sent_at = clock_timestamp()');
  await Promise.all(writers);
  expect(await holdsBack(keepPace())).toBe(false);
});

test('a writer goes on after a while, also when they are not sent', async () => {
  await waiting('1 second');
  const keepPace = createPace(publisher.service.database.manager);
  await eventually('it knows', () => holdsBack(keepPace()));
  await keepPace();
  expect(await publisher.rows('select from outbox where sent_at is null')).toHaveLength(1);
});

test('nobody is held back for a broker that is away', async () => {
  await waiting('1 minute');
  const keepPace = createPace(publisher.service.database.manager, Infinity);
  for (let n = 0; n < 10; n += 1) expect(await holdsBack(keepPace())).toBe(false);
});
