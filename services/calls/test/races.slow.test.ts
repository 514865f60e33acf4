import { rows } from '@tutoring/shared/kit/database/sql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService } from '@tutoring/shared/kit/service';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { calls } from '../src/app.ts';
import { startScene, type Scene } from './scene.ts';
import { LOAD_TIMEOUT_MS, scaled } from '@tutoring/shared/testing/scale';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  await scene.stop();
});

const settled = (identifier: string) =>
  eventually('the call is settled', async () => {
    const row = await scene.row(identifier);
    return row['settled'] === true && row;
  });

test(
  `${scaled(1_000, 10)} calls with 50 concurrent identical bills each are charged once per call`,
  async () => {
    for (let n = 0; n < scaled(1_000, 10); n += 1) {
      const party = scene.party();
      const { identifier, channel } = await scene.begin(party);
      const requestsBefore = scene.wallet.requests();
      let isBusy = false;
      const bill = async () => {
        const answer = await scene.bill(party, identifier);
        isBusy ||= answer.status === 503;
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: 50 }, () => retryWhile503(bill)));
      // A charge that a busy machine does not answer in time is asked for again.
      if (!isBusy) expect(scene.wallet.requests() - requestsBefore).toBe(1);
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 []']));
      await scene.end('teacher', party, identifier, channel);
      await settled(identifier);
      expect(scene.wallet.charges(identifier)).toEqual([`call:${identifier}:step:1`]);
      expect([scene.wallet.balance(party.student), scene.wallet.balance(party.teacher)]).toEqual([9_850, 150]);
      expect(await scene.row(identifier)).toMatchObject({ steps: 1, total_cost: 150 });
    }
  },
  LOAD_TIMEOUT_MS,
);

test(
  `concurrent end and bill, ${scaled(1_000, 10)} times, charge exactly the steps that are due at the end`,
  async () => {
    for (let n = 0; n < scaled(1_000, 10); n += 1) {
      const party = scene.party();
      const { identifier, channel } = await scene.begin(party);
      if (n % 2 === 1) await scene.bill(party, identifier);
      const [billed, ended] = await Promise.all([
        retryWhile503(() => scene.bill(party, identifier)),
        retryWhile503(() => scene.end(n % 3 === 0 ? 'teacher' : 'student', party, identifier, channel)),
      ]);
      expect([200, 409]).toContain(billed.status);
      expect(ended.status).toBe(200);
      const call = await settled(identifier);
      expect(call).toMatchObject({ state: 'ended', steps: 1, total_cost: 150 });
      expect(scene.wallet.charges(identifier)).toHaveLength(1);
      expect([scene.wallet.balance(party.student), scene.wallet.held(party.student)]).toEqual([9_850, 0]);
    }
  },
  LOAD_TIMEOUT_MS,
);

test('two replicas share the work and settle each call once', async () => {
  const replica = await startService(calls, { ...scene.service.config, PORT: 0 });
  try {
    const begun = Array.from({ length: 40 }, async () => {
      const party = scene.party();
      return { party, ...(await scene.begin(party)) };
    });
    const all = await Promise.all(begun);
    scene.wallet.setMode('down');
    await Promise.all(all.map(({ party, identifier, channel }) => scene.end('student', party, identifier, channel)));
    scene.wallet.setMode('fine');
    for (const { party, identifier } of all) {
      await settled(identifier);
      expect(scene.wallet.charges(identifier)).toHaveLength(1);
      expect([scene.wallet.balance(party.student), scene.wallet.held(party.student)]).toEqual([9_850, 0]);
    }
  } finally {
    await replica.stop();
  }
});

test('a locked call delays only its own bill', async () => {
  const [locked, free] = [scene.party(), scene.party()];
  const [busy, open] = [await scene.begin(locked), await scene.begin(free)];
  const waiting = await scene.service.service.database.transact(async (tx) => {
    await rows(tx, 'select from call where identifier = $1 for update', [busy.identifier]);
    // A bill that waits too long for the lock is refused and sent again.
    const late = retryWhile503(() => scene.bill(locked, busy.identifier));
    for (let count = 0; count < 5; count += 1)
      expect((await retryWhile503(() => scene.bill(free, open.identifier))).status).toBe(200);
    expect(await scene.row(busy.identifier)).toMatchObject({ steps_due: 0 });
    return [late];
  });
  expect((await waiting[0]!).status).toBe(200);
  expect(await scene.row(busy.identifier)).toMatchObject({ steps: 1 });
  await scene.end('teacher', locked, busy.identifier, busy.channel);
  await scene.end('teacher', free, open.identifier, open.channel);
});

test('many bills for lapsed calls publish each end once, with the request id of a bill of that call', async () => {
  const begun = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const party = scene.party();
      return { party, ...(await scene.begin(party)) };
    }),
  );
  for (const { party, identifier } of begun) await scene.bill(party, identifier);
  await scene.service.rows(
    `update call set accepted_at = accepted_at - interval '1 hour', billed_at = billed_at - interval '1 hour'
     where identifier = any($1)`,
    [begun.map(({ identifier }) => identifier)],
  );
  const bill = ({ party, identifier }: (typeof begun)[number]) =>
    scene.service.api
      .teacher(party.teacher)
      .post('/api/call/bill', { identifier }, { 'x-request-id': `bill-of-${identifier}` });
  await Promise.all([...begun, ...begun, ...begun].map((of) => retryWhile503(() => bill(of))));
  for (const { party, identifier } of begun) {
    const stored = await scene.service.rows<{ request: string | null }>(
      `select context ->> 'requestId' as request from outbox where name = 'call.ended' and data ->> 'identifier' = $1`,
      [identifier],
    );
    // The job that ends silent calls may have been first; it has no request id.
    expect(stored.filter(({ request }) => request !== null && request !== `bill-of-${identifier}`)).toEqual([]);
    const ends = (await scene.service.live()).filter(
      ({ event, data }) => event === 'call.ended' && data['identifier'] === identifier,
    );
    expect(ends.map(({ to }) => to).sort()).toEqual([`user.${party.student}`, `user.${party.teacher}`].sort());
  }
});
