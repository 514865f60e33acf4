import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { person, startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterEach(() => scene.service.shiftClock(0));
afterAll(async () => {
  await scene.stop();
});

const settled = (identifier: string) =>
  eventually('the call is settled', async () => {
    const call = await scene.row(identifier);
    return call['settled'] === true && call;
  });
const spent = (party: Party, money = 10_000) => money - scene.wallet.balance(party.student);

describe('silence', () => {
  test('a call that is never billed ends after its first step, which is charged', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    await scene.service.shiftClock(121);
    expect(await settled(identifier)).toMatchObject({
      state: 'ended',
      ended_by: 'silence',
      steps: 1,
      total_cost: 150,
      total_duration: 60,
    });
    expect([spent(party), scene.wallet.held(party.student)]).toEqual([150, 0]);
  });

  test('two steps after its last bill a call ends, as of the end of its last charged step', async () => {
    const party = scene.party();
    const { identifier, channel } = await scene.begin(party);
    await scene.service.shiftClock(61);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(61 + 121);
    const late = await scene.bill(party, identifier);
    expect([late.status, late.body.message]).toEqual([409, 'The call cannot be billed: it is not active.']);
    expect(await settled(identifier)).toMatchObject({ steps: 2, total_duration: 120, ended_by: 'silence' });
    expect((await scene.end('student', party, identifier, channel)).status).toBe(200);
    expect(await scene.row(identifier)).toMatchObject({ total_duration: 120 });
  });
});

describe('POST api/call/end', () => {
  test('charges all due steps', async () => {
    const party = scene.party();
    const { identifier, channel, lasted } = await scene.begin(party);
    await scene.service.shiftClock(65);
    await scene.end('teacher', party, identifier, channel);
    expect(await settled(identifier)).toMatchObject({
      steps: 2,
      total_cost: 200,
      total_duration: lasted(65),
    });
  });

  test('charges the affordable steps when the student cannot pay all, without a change of the end', async () => {
    const party = scene.party(160);
    const { identifier, channel, lasted } = await scene.begin(party);
    await scene.service.asOwner(
      `update call set accepted_at = accepted_at - interval '65 seconds' where identifier = $1`,
      [identifier],
    );
    await scene.end('student', party, identifier, channel);
    expect(await settled(identifier)).toMatchObject({
      ended_by: 'student',
      steps: 1,
      total_cost: 150,
      total_duration: lasted(65),
    });
  });

  test.each([
    ['by the student while the call rings', 'student', 'canceled'],
    ['by the teacher while the call rings', 'teacher', 'rejected'],
  ] as const)('%s makes it %s', async (_name, who, state) => {
    const party = scene.party();
    const { channel } = (await scene.init(party)).body;
    const [call] = await scene.service.rows<{ identifier: string }>(
      'select identifier from call where student_id = $1',
      [party.student],
    );
    expect((await scene.end(who, party, call!.identifier, channel)).status).toBe(200);
    expect(await scene.row(call!.identifier)).toMatchObject({ state });
  });

  test('is a 422 for an unknown room or identifier, and a 404 for those of others', async () => {
    const party = scene.party();
    const { identifier, channel } = await scene.begin(party);
    const other = await scene.begin(scene.party());
    const lonely = '3d0f4f0e-7d62-4a0e-8a9e-0f3b1c2d4e5f';
    const end = (room: unknown, name: unknown, who = party.student) =>
      scene.service.api.student(who).post('/api/call/end', { room_uuid: room, identifier: name });
    const [unknownRoom, malformed, unknown, both, malformedAndUnknown] = [
      await end(lonely, identifier),
      await end('room', identifier),
      await end(channel, 'nothing'),
      await end(lonely, 'nothing'),
      await end('room', 'nothing'),
    ];
    expect([unknownRoom.status, unknownRoom.body.errors]).toEqual([
      422,
      { room_uuid: ['The selected room uuid is invalid.'] },
    ]);
    expect(malformed.body.errors).toEqual({ room_uuid: ['The room uuid field must be a valid UUID.'] });
    expect(unknown.body.errors).toEqual({ identifier: ['The selected identifier is invalid.'] });
    expect(malformedAndUnknown.body.errors).toEqual({
      room_uuid: ['The room uuid field must be a valid UUID.'],
      identifier: ['The selected identifier is invalid.'],
    });
    expect(both.body.message).toBe('The selected room uuid is invalid. (and 1 more error)');
    await scene.service.receive('room.changed', {
      uuid: lonely,
      student_id: 1,
      teacher_id: 2,
      created_at: '2026-01-02T03:04:05.000006Z',
      updated_at: '2026-01-02T03:04:05.000006Z',
      version: 1,
    });
    const foreign = [
      await end(lonely, identifier),
      await end(other.channel, identifier),
      await end(other.channel, other.identifier),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await scene.row(identifier)).toMatchObject({ state: 'active' });
  });
});

test('a ban ends the call at once; due steps are charged and the hold is released', async () => {
  const party = scene.party();
  const { identifier } = await scene.begin(party);
  await scene.service.receive('user.changed', person(party.teacher, 'teacher', { status: 'banned', version: 2 }));
  expect(await settled(identifier)).toMatchObject({ state: 'ended', ended_by: 'ban', steps: 1, total_cost: 150 });
  expect(scene.wallet.held(party.student)).toBe(0);
});
