import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@tutoring/shared/kit/database/open';
import { rows } from '@tutoring/shared/kit/database/sql';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterEach(() => scene.service.shiftClock(0));
afterAll(() => scene.stop());

/** Rings `count` times; each ring is canceled or rejected. */
async function ringInVain(party: Party, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    expect((await scene.init(party)).status).toBe(200);
    await (round % 2 === 0 ? scene.cancel(party) : scene.reject(party));
  }
}

test('after ten free rings within ten minutes init is a 429 with Retry-After; another teacher can be called', async () => {
  const party = scene.party();
  await ringInVain(party, 10);
  const refused = await scene.init(party);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(500);
  expect(wait).toBeLessThanOrEqual(600);
  const other = scene.party();
  expect((await scene.init({ student: party.student, teacher: other.teacher })).status).toBe(200);
  await scene.cancel({ student: party.student, teacher: other.teacher });
  await scene.service.shiftClock(wait + 1);
  expect((await scene.init(party)).status).toBe(200);
});

test('a missed call counts; an accepted one neither counts nor resets the count', async () => {
  const party = scene.party();
  await ringInVain(party, 5);
  const { identifier, channel } = await scene.begin(party);
  await scene.end('student', party, identifier, channel);
  await ringInVain(party, 4);
  await scene.init(party);
  await scene.service.shiftClock(46);
  expect((await scene.init(party)).status).toBe(429);
});

test('init repeated while it rings returns the same call, whatever the count', async () => {
  const party = scene.party();
  await ringInVain(party, 9);
  const [first, again] = [await scene.init(party), await scene.init(party)];
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test('the setting max_free_rings limits the free rings', async () => {
  const party = scene.party();
  await scene.service.receive('setting.changed', { name: 'max_free_rings', value: 2, version: 2 });
  await ringInVain(party, 2);
  expect((await scene.init(party)).status).toBe(429);
  await scene.service.receive('setting.changed', { name: 'max_free_rings', value: 10, version: 3 });
  expect((await scene.init(party)).status).toBe(200);
});

test('40 concurrent rings with immediate cancels do not exceed the limit', async () => {
  const party = scene.party();
  const ring = () => retryWhile503(() => scene.init(party));
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const rung = await ring();
      expect([200, 409, 429]).toContain(rung.status);
      await scene.cancel(party);
    }),
  );
  while ((await ring()).status === 200) await scene.cancel(party);
  const rings = await scene.service.rows('select 1 from call where student_id = $1', [party.student]);
  expect(rings).toHaveLength(10);
});

/** Blocks the insertion of audio calls until `free()`. */
async function holdAudioCallsUp() {
  await scene.service.asOwner(`create function hold_up() returns trigger language plpgsql as $$
    begin if new.call_type = 'audio' then perform pg_advisory_xact_lock(4242); end if; return new; end $$`);
  await scene.service.asOwner('create trigger hold_up before insert on call for each row execute function hold_up()');
  const url = scene.service.ownerUrl;
  const owner = await openDatabase({
    url,
    name: 'holder',
    pool: 1,
    logger: createLogger('calls', 'silent'),
  });
  const held = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  const holding = owner.transact(async (tx) => {
    await rows(tx, 'select pg_advisory_xact_lock(4242)');
    held.resolve();
    await freed.promise;
  });
  await held.promise;
  return {
    waiting: async () =>
      (
        await scene.service.asOwner(
          `select from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
        )
      ).length,
    free: async () => {
      freed.resolve();
      await holding;
      await owner.close();
    },
  };
}

test('a ring that is canceled between the count and the insert of another ring counts', async () => {
  const party = scene.party();
  await ringInVain(party, 9);
  const { waiting, free } = await holdAudioCallsUp();
  const slow = scene.init(party, 'audio');
  await eventually('the first ring has counted', async () => (await waiting()) === 1);
  const quick = scene.init(party, 'video').then(async (rung) => {
    if (rung.status === 200) await scene.cancel(party);
    return true;
  });
  await eventually('the second ring waits or is over', async () =>
    Promise.race([quick, waiting().then((count) => count === 2)]),
  );
  await free();
  await Promise.all([slow, quick]);
  await scene.cancel(party);
  const rings = await scene.service.rows('select 1 from call where student_id = $1', [party.student]);
  expect(rings).toHaveLength(10);
});
