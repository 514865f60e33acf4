import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { person, startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterEach(async () => {
  await scene.service.shiftClock(0);
  scene.wallet.setMode('fine');
});
afterAll(async () => {
  await scene.stop();
});

const latest = async ({ student }: Party) =>
  (
    await scene.service.rows<Record<string, unknown>>('select * from call where student_id = $1 order by id', [student])
  ).at(-1)!;
const liveOf = async (identifier: unknown) =>
  (await scene.service.live())
    .filter(({ data }) => data['identifier'] === identifier)
    .map(({ to, event }) => `${to} ${event}`);

describe('POST api/call/init', () => {
  test('repeated while the call rings returns the same call and token, and publishes nothing', async () => {
    const party = scene.party();
    const [first, second] = [await scene.init(party), await scene.init(party)];
    expect(second.body).toEqual(first.body);
    expect(await liveOf((await latest(party))['identifier'])).toHaveLength(1);
  });

  test('of twenty concurrent requests creates one call', async () => {
    const party = scene.party();
    const answers = await Promise.all(Array.from({ length: 20 }, () => retryWhile503(() => scene.init(party))));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await scene.service.rows('select 1 from call where student_id = $1', [party.student])).toHaveLength(1);
  });

  test.each([
    [
      'for another type while the call rings',
      (party: Party) => scene.init(party, 'audio'),
      'You are already calling this teacher',
    ],
    [
      'of a busy student',
      (party: Party) => scene.init({ ...scene.party(), student: party.student }),
      'You are already in',
    ],
    [
      'to a busy teacher',
      (party: Party) => scene.init({ ...scene.party(), teacher: party.teacher }),
      'The teacher is already',
    ],
  ])('%s is a 409', async (_name, again, message) => {
    const party = scene.party();
    await scene.init(party);
    const answer = await again(party);
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect(answer.body.message).toContain(message);
  });

  test('during an active call of the pair is a 409', async () => {
    const party = scene.party();
    await scene.begin(party);
    expect((await scene.init(party)).status).toBe(409);
  });

  test('of many concurrent students to one teacher succeeds once; the others get a 409', async () => {
    const { teacher } = scene.party();
    const students = Array.from({ length: 10 }, () => ({ ...scene.party(), teacher }));
    const answers = await Promise.all(students.map((party) => retryWhile503(() => scene.init(party))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test.each([
    [
      'with an unknown teacher',
      { teacher_user_id: 987_654, call_type: 'video' },
      'The selected teacher user id is invalid.',
    ],
    ['without a teacher', { call_type: 'video' }, 'The teacher user id field is required.'],
    ['with an empty body', {}, 'The teacher user id field is required. (and 1 more error)'],
    [
      'with an unknown teacher and a wrong type',
      { teacher_user_id: 987_654, call_type: 'hologram' },
      'The selected teacher user id is invalid. (and 1 more error)',
    ],
  ])('%s is a 422', async (_name, body, message) => {
    const answer = await scene.service.api.student(scene.party().student).post('/api/call/init', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('with a student as teacher is a 422', async () => {
    const answer = await scene.init({ ...scene.party(), teacher: scene.party().student });
    expect(answer.body.errors).toEqual({ teacher_user_id: ['The selected teacher user id is invalid.'] });
  });

  test('without money for the first step is a 402, and succeeds after a deposit', async () => {
    const party = scene.party(149);
    expect((await scene.init(party)).status).toBe(402);
    scene.wallet.deposit(party.student, 1);
    expect((await scene.init(party)).status).toBe(200);
  });

  test('of a student whose money is held for an active call is a 409, not a 402', async () => {
    const party = scene.party(160);
    await scene.init(party);
    expect((await scene.accept(party)).status).toBe(200);
    const answer = await scene.init({ ...scene.party(), student: party.student });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('You are already in')]);
  });

  test('repeated while the call rings returns the same call, even if the money is spent', async () => {
    const party = scene.party(150);
    const first = await scene.init(party);
    scene.wallet.deposit(party.student, -150);
    expect((await scene.init(party)).body).toEqual(first.body);
  });

  test('while wallet is down is a 503', async () => {
    const party = scene.party();
    scene.wallet.setMode('down');
    expect((await scene.init(party)).status).toBe(503);
  });

  test('to an unverified teacher is a 409 when require_verified_teacher is 1', async () => {
    const party = scene.party();
    await scene.service.receive('setting.changed', { name: 'require_verified_teacher', value: 1, version: 2 });
    const refused = await scene.init(party);
    await scene.service.receive('user.changed', person(party.teacher, 'teacher', { verified: true, version: 2 }));
    const rung = await scene.init(party);
    await scene.service.receive('setting.changed', { name: 'require_verified_teacher', value: 0, version: 3 });
    expect([refused.status, rung.status]).toEqual([409, 200]);
  });

  test.each([
    ['without a token', 'anonymous', 401],
    ['of a teacher', 'teacher', 403],
    ['of an administrator', 'admin', 403],
  ])('%s (%s) is a %i', async (_name, who, status) => {
    const { api } = scene.service;
    const client = who === 'teacher' ? api.teacher(1) : who === 'admin' ? api.admin('su') : api.anonymous;
    expect((await client.post('/api/call/init', {})).status).toBe(status);
  });
});

describe('the end of the ringing', () => {
  test.each([
    ['reject', (party: Party) => scene.reject(party), 'rejected'],
    ['cancel', (party: Party) => scene.cancel(party), 'canceled'],
  ])('by %s is published to both participants, who are free again; a repeat is a 404', async (_name, stop, state) => {
    const party = scene.party();
    await scene.init(party);
    const answer = await stop(party);
    expect([answer.status, answer.body]).toEqual([200, []]);
    const call = await latest(party);
    expect(call).toMatchObject({ state, settled: true, rtc_token: null });
    expect((await liveOf(call['identifier'])).slice(1)).toEqual([
      `user.${party.student} call.${state}`,
      `user.${party.teacher} call.${state}`,
    ]);
    expect((await stop(party)).status).toBe(404);
    expect((await scene.init(party)).status).toBe(200);
  });

  test('by time-out makes the call missed, by the setting at the start of the ring', async () => {
    const party = scene.party();
    await scene.service.receive('setting.changed', { name: 'call_ring_timeout_seconds', value: 30, version: 2 });
    await scene.init(party);
    await scene.service.shiftClock(10);
    expect((await scene.accept({ ...party, student: scene.party().student })).status).toBe(404);
    expect((await latest(party))['state']).toBe('ringing');
    await scene.service.shiftClock(31);
    await eventually('the call is missed', async () => (await latest(party))['state'] === 'missed');
    expect(await liveOf((await latest(party))['identifier'])).toContain(`user.${party.teacher} call.missed`);
    expect((await scene.accept(party)).status).toBe(404);
    await scene.service.receive('setting.changed', { name: 'call_ring_timeout_seconds', value: 45, version: 3 });
  });

  test('by time-out counts before a job has recorded it, so that init creates a new call', async () => {
    const party = scene.party();
    await scene.init(party);
    const { id } = await latest(party);
    await scene.service.asOwner(`update call set ring_expires_at = app_now() - interval '1 second' where id = $1`, [
      id,
    ]);
    expect((await scene.init(party)).status).toBe(200);
    expect((await latest(party))['id']).not.toBe(id);
  });

  test('by a ban of the student makes the call canceled', async () => {
    const party = scene.party();
    await scene.init(party);
    await scene.service.receive('user.changed', person(party.student, 'student', { status: 'banned', version: 2 }));
    expect((await latest(party))['state']).toBe('canceled');
    expect((await scene.init(party)).status).toBe(403);
  });
});

describe('POST api/call/accept', () => {
  test('repeated, also concurrently, returns the same transaction', async () => {
    const party = scene.party();
    await scene.init(party);
    const accept = () => retryWhile503(() => scene.accept(party));
    const [first, second] = await Promise.all([accept(), accept()]);
    const third = await accept();
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect([second.body.transaction.id, third.body.transaction.id]).toEqual([
      first.body.transaction.id,
      first.body.transaction.id,
    ]);
    expect(third.body.transaction.teacher.transactions_count).toBe(1);
    expect(scene.wallet.held(party.student)).toBe(150);
  });

  test.each([
    ['with another type', (party: Party) => scene.accept(party, 'audio')],
    ['of another teacher', (party: Party) => scene.accept({ ...scene.party(), student: party.student })],
    ['with an unknown student', (party: Party) => scene.accept({ ...party, student: 987_654 })],
  ])('%s is a 404', async (_name, attempt) => {
    const party = scene.party();
    await scene.init(party);
    const answer = await attempt(party);
    expect([answer.status, answer.body]).toEqual([404, { code: 'not_found', message: 'There is no ringing call.' }]);
  });

  test('is a 402 when the money is spent; the call is canceled and both participants get the reason', async () => {
    const party = scene.party(200);
    await scene.init(party);
    scene.wallet.deposit(party.student, -100);
    expect((await scene.accept(party)).status).toBe(402);
    const call = await latest(party);
    expect(call['state']).toBe('canceled');
    const liveEvents = (await scene.service.live()).filter(({ data }) => data['identifier'] === call['identifier']);
    expect(liveEvents.slice(1).map(({ event, data }) => [event, data['reason']])).toEqual([
      ['call.canceled', 'payment_required'],
      ['call.canceled', 'payment_required'],
    ]);
  });

  test('while wallet is down is a 503 and the call keeps ringing; a retry uses the prices of the first attempt', async () => {
    const party = scene.party();
    await scene.init(party);
    scene.wallet.setMode('down');
    expect((await scene.accept(party)).status).toBe(503);
    expect((await latest(party))['state']).toBe('ringing');
    const su = scene.service.api.admin('su');
    await su.put('/api/admin/services/1', { base_cost: 7_000 });
    scene.wallet.setMode('fine');
    const accepted = await scene.accept(party);
    await su.put('/api/admin/services/1', { base_cost: 100 });
    expect(accepted.body.service.base_cost).toBe('100');
    expect(scene.wallet.held(party.student)).toBe(150);
  });

  test('with a lost answer to the hold leaves no hold after the student has canceled', async () => {
    const party = scene.party();
    await scene.init(party);
    scene.wallet.setMode('loses answers');
    expect((await scene.accept(party)).status).toBe(503);
    scene.wallet.setMode('fine');
    expect(scene.wallet.held(party.student)).toBe(150);
    await scene.cancel(party);
    await scene.resume(String((await latest(party))['identifier']));
    await eventually('the hold is released', () => scene.wallet.held(party.student) === 0);
    await eventually('the call is settled', async () => (await latest(party))['settled']);
  });

  test('is a 404 when the student cancels during the hold request, and the hold is released at once', async () => {
    const party = scene.party();
    await scene.init(party);
    let canceled: unknown;
    scene.wallet.before('/internal/holds', async () => {
      canceled = (await scene.cancel(party)).status;
    });
    const accepted = await scene.accept(party);
    expect([canceled, accepted.status, scene.wallet.held(party.student)]).toEqual([200, 404, 0]);
  });

  test('is a 404 without a token when a repeat has succeeded and the call has ended during the hold request', async () => {
    const party = scene.party();
    await scene.init(party);
    let ended: unknown;
    scene.wallet.before('/internal/holds', async () => {
      const { transaction, channel } = (await scene.accept(party)).body;
      ended = (await scene.end('student', party, transaction.identifier, channel)).status;
    });
    const late = await scene.accept(party);
    expect([ended, late.status, late.body]).toEqual([
      200,
      404,
      { code: 'not_found', message: 'There is no ringing call.' },
    ]);
  });
});
