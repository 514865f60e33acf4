import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterEach(async () => {
  scene.wallet.setMode('fine');
  await scene.service.shiftClock(0);
});
afterAll(async () => {
  await scene.stop();
});

const settled = (identifier: string) =>
  eventually('the call is settled', async () => {
    const row = await scene.row(identifier);
    return row['settled'] === true && row;
  });
const charged = (identifier: string, steps: number) =>
  eventually(`${steps} steps are charged`, async () => (await scene.row(identifier))['steps'] === steps);

describe.each(['down', 'slow', 'loses answers'] as const)('when wallet is in the mode "%s"', (mode) => {
  test('the bill of a covered step succeeds, that of an uncovered one is a 503, and later each step is charged once', async () => {
    const party = scene.party();
    const { identifier, channel } = await scene.begin(party);
    scene.wallet.setMode(mode);
    const covered = await scene.bill(party, identifier);
    expect([covered.status, covered.body]).toEqual([200, []]);
    await scene.service.shiftClock(61);
    const uncovered = await scene.bill(party, identifier);
    // Only after the outage can a retry of the job find the charge whose answer was lost.
    expect([uncovered.status, uncovered.body.code]).toEqual([503, 'unavailable']);
    scene.wallet.setMode('fine');
    await charged(identifier, 2);
    expect(scene.wallet.balance(party.student)).toBe(10_000 - 200);
    await scene.end('student', party, identifier, channel);
    await settled(identifier);
    expect(scene.wallet.charges(identifier)).toHaveLength(2);
    expect(scene.wallet.held(party.student)).toBe(0);
  });

  test('end succeeds without waiting for wallet, and the call is settled later', async () => {
    const party = scene.party();
    const { identifier, channel, lasted } = await scene.begin(party);
    await scene.service.shiftClock(61);
    scene.wallet.setMode(mode);
    const ended = await scene.end('teacher', party, identifier, channel);
    expect(ended.status).toBe(200);
    expect(await scene.row(identifier)).toMatchObject({
      state: 'ended',
      total_duration: lasted(61),
      settled: false,
    });
    scene.wallet.setMode('fine');
    const call = await settled(identifier);
    expect(call).toMatchObject({ steps: 2, total_cost: 200, total_duration: lasted(61) });
    expect([scene.wallet.balance(party.student), scene.wallet.held(party.student)]).toEqual([9_800, 0]);
  });
});

test('a call for which wallet does not answer does not delay the settlement of other calls', async () => {
  /** Runs the job, rather than wait for its next run, until `isDone`. */
  const settleUntil = (isDone: () => Promise<boolean> | boolean) =>
    eventually('the job has come so far', async () => {
      await scene.service.runJob('settlement');
      return isDone();
    });
  /** Whether another call was settled while the first request about a call had no answer. */
  async function isNotDelayed(): Promise<boolean> {
    const [slow, other] = [scene.party(), scene.party()];
    const [first, second] = [await scene.begin(slow), await scene.begin(other)];
    /** Leaves the release of the hold to the job. */
    const endLater = async (party: typeof slow, { identifier, channel }: typeof first) => {
      scene.wallet.setMode('down');
      await scene.end('student', party, identifier, channel);
      scene.wallet.setMode('fine');
    };
    let isCharging = false;
    const answer = Promise.withResolvers<void>();
    scene.wallet.before('/internal/charges/batch', () => {
      isCharging = true;
      return answer.promise;
    });
    await endLater(slow, first);
    await settleUntil(() => isCharging);
    const { lease, attempts } = await scene.row(first.identifier);
    await endLater(other, second);
    await settleUntil(async () => (await scene.row(second.identifier))['settled'] === true);
    const row = await scene.row(first.identifier);
    answer.resolve();
    await settled(first.identifier);
    return row['lease'] === lease && row['attempts'] === attempts && row['settled'] === false;
  }
  // On a busy machine the request may end before, because wallet has two seconds.
  await eventually('one is settled meanwhile', isNotDelayed);
});

test('an expired hold covers nothing', async () => {
  const party = scene.party();
  const { identifier } = await scene.begin(party);
  await scene.service.asOwner('update call set reserved_until = app_now() where identifier = $1', [identifier]);
  scene.wallet.setMode('down');
  expect((await scene.bill(party, identifier)).status).toBe(503);
});

describe('the hold_seconds of wallet determine how long a hold covers a call', () => {
  afterEach(() => scene.wallet.setHoldSeconds(600));
  const coveredFor = async (identifier: string, since: 'accepting_at' | 'billed_at') => {
    const { [since]: from, reserved_until: until } = await scene.row(identifier);
    return (Date.parse(until as string) - Date.parse(from as string)) / 1_000;
  };

  test('from the acceptance, and again from each charge, less the duration of a lease', async () => {
    scene.wallet.setHoldSeconds(90);
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    expect(await coveredFor(identifier, 'accepting_at')).toBe(90);
    await scene.service.shiftClock(61);
    expect((await scene.bill(party, identifier)).status).toBe(200);
    const covered = await coveredFor(identifier, 'billed_at');
    expect([covered >= 80, covered < 90]).toEqual([true, true]);
  });

  test('without hold_seconds, as from a wallet of the previous release, the stored expiry is kept', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    scene.wallet.setHoldSeconds(undefined);
    await scene.service.shiftClock(61);
    expect((await scene.bill(party, identifier)).status).toBe(200);
    expect(await coveredFor(identifier, 'accepting_at')).toBe(600);
  });
});

test('a refusal right after a lost answer does not end the call, as the lost request may have succeeded', async () => {
  const party = scene.party(150);
  const { identifier } = await scene.begin(party);
  await scene.service.asOwner('update call set answer_lost_at = app_now(), reserved = 0 where identifier = $1', [
    identifier,
  ]);
  scene.wallet.deposit(party.student, -150);
  expect((await scene.bill(party, identifier)).status).toBe(503);
  expect(await scene.row(identifier)).toMatchObject({ state: 'active' });
  await scene.service.shiftClock(21);
  const call = await eventually('the call ends', async () => {
    const row = await scene.row(identifier);
    return row['state'] === 'ended' && row;
  });
  expect(call).toMatchObject({ ended_by: 'exhaustion', steps: 0, total_duration: 0 });
});
