import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { person, startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

const BUSY = [409, 'conflict', 'The teacher is already in a call.'];

/** Delivers messaging's event that a participant has blocked the other, or has lifted the block. */
const deliverBlock = (by: 'student' | 'teacher', party: Party, changes: { active?: boolean; version?: number } = {}) =>
  scene.service.receive('block.changed', {
    id: party.student,
    user_id: party[by],
    blocked_id: party[by === 'student' ? 'teacher' : 'student'],
    active: true,
    created_at: '2026-01-02T03:04:05.000006Z',
    version: 1,
    ...changes,
  });
const callsOf = ({ student }: Party) =>
  scene.service.rows<{ identifier: string; state: string }>(
    'select identifier, state from call where student_id = $1 order by id',
    [student],
  );
const refused = async (party: Party) => {
  const { status, body } = await scene.init(party);
  return [status, body.code, body.message];
};
const SIDES = ['student', 'teacher'] as const;

describe.each(SIDES)('when the %s has blocked the other', (by) => {
  test('a call is refused as if the teacher were busy, until the block is lifted', async () => {
    const party = scene.party();
    await deliverBlock(by, party);
    expect(await refused(party)).toEqual(BUSY);
    expect(await callsOf(party)).toEqual([]);
    await deliverBlock(by, party, { active: false, version: 2 });
    expect((await scene.init(party)).status).toBe(200);
  });

  test('a student without money gets the same refusal', async () => {
    const party = scene.party(0);
    await deliverBlock(by, party);
    expect(await refused(party)).toEqual(BUSY);
  });

  test('a second block remains when the first is lifted, and both can have calls with others', async () => {
    const party = scene.party();
    const [teacher, student] = [scene.party().teacher, scene.party().student];
    await deliverBlock('student', party);
    await deliverBlock('teacher', party);
    await deliverBlock(by, party, { active: false, version: 2 });
    expect(await refused(party)).toEqual(BUSY);
    expect((await scene.init({ ...party, teacher })).status).toBe(200);
    expect((await scene.init({ ...party, student })).status).toBe(200);
  });

  test('a ringing call between them ends as if the blocker had hung up, and both are free again', async () => {
    const party = scene.party();
    await scene.init(party);
    const { identifier } = (await callsOf(party))[0]!;
    await deliverBlock(by, party);
    const end = by === 'student' ? 'canceled' : 'rejected';
    expect(await scene.row(identifier)).toMatchObject({ state: end, rtc_token: null });
    const liveEvents = (await scene.service.live()).filter(({ data }) => data['identifier'] === identifier).slice(-2);
    expect(liveEvents.map(({ to, event }) => [to, event])).toEqual([
      [`user.${party.student}`, `call.${end}`],
      [`user.${party.teacher}`, `call.${end}`],
    ]);
    expect(liveEvents.map(({ data }) => 'reason' in data)).toEqual([false, false]);
    expect((await scene.service.published('call.changed')).at(-1)).toMatchObject({ identifier, state: end });
    expect((await scene.accept(party)).status).toBe(404);
    expect((await scene.init({ ...scene.party(), teacher: party.teacher })).status).toBe(200);
  });

  test('an active call continues; the next one is refused', async () => {
    const party = scene.party();
    const { identifier, channel } = await scene.begin(party);
    await deliverBlock(by, party);
    expect((await scene.row(identifier))['state']).toBe('active');
    expect((await scene.bill(party, identifier)).status).toBe(200);
    const token = await scene.service.api.student(party.student).post('/api/call/token', { identifier });
    expect(token.status).toBe(200);
    expect((await scene.end('student', party, identifier, channel)).status).toBe(200);
    expect(await refused(party)).toEqual(BUSY);
  });

  test('a call does not ring when the block arrives during its balance request to wallet', async () => {
    const party = scene.party();
    scene.wallet.before(`/internal/balances/${party.student}`, () => deliverBlock(by, party));
    expect(await refused(party)).toEqual(BUSY);
    expect(await callsOf(party)).toEqual([]);
  });

  test('accept fails and releases the hold when the block arrives during its hold request to wallet', async () => {
    const party = scene.party();
    await scene.init(party);
    scene.wallet.before('/internal/holds', () => deliverBlock(by, party));
    expect((await scene.accept(party)).status).toBe(404);
    expect(scene.wallet.held(party.student)).toBe(0);
  });

  test('an older event does not restore a lifted block', async () => {
    const party = scene.party();
    await deliverBlock(by, party, { active: false, version: 4 });
    await deliverBlock(by, party, { active: true, version: 3 });
    expect((await scene.init(party)).status).toBe(200);
  });
});

test('a call that begins while the block arrives does not keep ringing', async () => {
  const waits = `from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;
  // The call waits for two seconds at most, which may be too short for the event to arrive.
  const { party, status } = await retryWhile503(async () => {
    const party = scene.party();
    const blocked = `from block_copy where user_id = ${party.teacher} and blocked_id = ${party.student} and active`;
    const { released } = await scene.service.lockUntil('perform from service for update', {
      until: `exists (select ${waits} and locktype = 'advisory') or exists (select ${blocked})`,
    });
    const rung = scene.init(party);
    await eventually('the call begins', async () => {
      const waiting = `select from pg_locks join pg_stat_activity using (pid) where not granted and query like '%insert into call%'`;
      return (await scene.service.rows(waiting)).length > 0;
    });
    await deliverBlock('teacher', party);
    await released;
    return { party, status: (await rung).status };
  });
  expect(status).toBe(200);
  expect((await callsOf(party)).map(({ state }) => state)).toEqual(['rejected']);
});

test('a block between two teachers, or two students, affects no call', async () => {
  const [one, other] = [scene.party(), scene.party()];
  await scene.init(one);
  await deliverBlock('student', { student: one.student, teacher: other.student });
  await deliverBlock('teacher', { student: other.teacher, teacher: one.teacher });
  expect((await callsOf(one)).map(({ state }) => state)).toEqual(['ringing']);
});

test.each(SIDES)(
  'a deletion of the %s deletes all their blocks, and a late event does not restore them',
  async (gone) => {
    const party = scene.party();
    await deliverBlock('student', party);
    await deliverBlock('teacher', party);
    const remainingBlocks = () =>
      scene.service.rows('select 1 from block_copy where $1::bigint in (user_id, blocked_id)', [party[gone]]);
    expect(await remainingBlocks()).toHaveLength(2);
    await scene.service.receive('user.changed', person(party[gone], gone, { deleted: true, version: 2 }));
    expect(await remainingBlocks()).toEqual([]);
    await deliverBlock('student', party, { version: 3 });
    expect(await remainingBlocks()).toEqual([]);
  },
);
