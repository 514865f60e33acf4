import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { roomUuid } from '@tutoring/shared/contract/room-uuid';
import { measureFromNow } from '@tutoring/shared/testing/elapsed';
import { eventually } from '@tutoring/shared/testing/wait';
import { CALLS_ENV, startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  await scene.stop();
});

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

describe('a lesson', () => {
  test('of init, accept, three bills and end has the specified responses, rows, events and balances', async () => {
    const { service, wallet } = scene;
    const party = scene.party(1_000);
    const channel = roomUuid(CALLS_ENV.ROOM_NAMESPACE, party.student, party.teacher);

    const rung = await scene.init(party);
    expect([rung.status, rung.body]).toEqual([
      200,
      { message: 'The call has been initiated.', channel, token: expect.stringMatching(/^007/) },
    ]);

    const lasted = measureFromNow();
    const accepted = await scene.accept(party);
    expect(accepted.status).toBe(200);
    const { identifier } = accepted.body.transaction as { identifier: string };
    const video = { id: 1, name: 'VIDEO', iterator: '60', base_cost: '100', iterator_cost: '50' };
    expect(accepted.body).toEqual({
      transaction: {
        id: expect.any(Number),
        identifier: expect.any(String),
        service_id: 1,
        student_id: party.student,
        teacher_id: party.teacher,
        plan_id: 1,
        total_cost: 0,
        total_duration: null,
        created_at: ISO,
        updated_at: ISO,
        teacher: {
          id: party.teacher,
          name: `teacher ${party.teacher}`,
          plan_id: 1,
          domains: 'Maths, Physics',
          experience: 4,
          availability: '',
          bio: null,
          verified: '0',
          created_at: ISO,
          updated_at: ISO,
          transactions_count: 1,
        },
        service: { ...video, created_at: ISO, updated_at: ISO },
        plan: { id: 1, name: 'Basic', points: 10, image_cost: 5, created_at: ISO, updated_at: ISO },
      },
      service: { ...video, created_at: ISO, updated_at: ISO },
      channel,
      token: rung.body.token,
    });
    expect([wallet.balance(party.student), wallet.held(party.student)]).toEqual([1_000, 150]);

    const first = await scene.bill(party, identifier);
    expect([first.status, first.body]).toEqual([200, []]);
    const again = await scene.bill(party, identifier);
    expect([again.status, again.body]).toEqual([200, []]);
    expect([wallet.balance(party.student), wallet.balance(party.teacher), wallet.held(party.student)]).toEqual([
      850, 150, 50,
    ]);

    await service.shiftClock(61);
    await scene.bill(party, identifier);
    expect(wallet.balance(party.student)).toBe(800);

    const ended = await scene.end('student', party, identifier, channel.toUpperCase());
    expect([ended.status, ended.body]).toEqual([200, []]);
    expect((await scene.end('teacher', party, identifier, channel)).status).toBe(200);
    await eventually('the call is settled', async () => (await scene.row(identifier))['settled'] === true);
    expect([wallet.balance(party.student), wallet.balance(party.teacher), wallet.held(party.student)]).toEqual([
      800, 200, 0,
    ]);
    expect(wallet.charges(identifier)).toEqual([`call:${identifier}:step:1`, `call:${identifier}:step:2`]);
    expect(await scene.row(identifier)).toMatchObject({
      state: 'ended',
      ended_by: 'student',
      steps: 2,
      total_cost: 200,
      total_duration: lasted(61),
      rtc_token: null,
    });
    const [{ wrong }] = (await service.rows(
      'select total_duration - floor(extract(epoch from ended_at - accepted_at))::int as wrong from call where identifier = $1',
      [identifier],
    )) as [{ wrong: number }];
    expect(wrong).toBe(0);

    const changes = (await service.published('call.changed')).filter((event) => event.identifier === identifier);
    expect(changes.map(({ state, version, total_cost }) => [state, version, total_cost])).toEqual([
      ['ringing', 1, 0],
      ['active', 2, 0],
      ['ended', 3, 200],
      ['ended', 4, 200],
    ]);
    const live = (await service.live()).filter((event) => event.data['identifier'] === identifier);
    expect(live.map(({ to, event }) => [to, event])).toEqual([
      [`user.${party.teacher}`, 'call.ringing'],
      [`user.${party.student}`, 'call.accepted'],
      [`user.${party.teacher}`, 'call.accepted'],
      [`user.${party.student}`, 'call.metered'],
      [`user.${party.teacher}`, 'call.metered'],
      [`user.${party.student}`, 'call.metered'],
      [`user.${party.teacher}`, 'call.metered'],
      [`user.${party.student}`, 'call.ended'],
      [`user.${party.teacher}`, 'call.ended'],
      [`user.${party.student}`, 'call.settled'],
      [`user.${party.teacher}`, 'call.settled'],
    ]);
    expect(live[0]!.data).toEqual({
      identifier,
      channel,
      call_type: 'video',
      student_id: party.student,
      teacher_id: party.teacher,
      expires_at: ISO,
      student: { id: party.student, name: `student ${party.student}`, photo: expect.any(String) },
      teacher: { id: party.teacher, name: `teacher ${party.teacher}`, photo: expect.any(String) },
    });
    // The prefix of all tokens. `007` alone could be part of a timestamp or an id.
    expect(accepted.body.token).toMatch(/^007eJ/);
    expect(JSON.stringify(live)).not.toContain('007eJ');
    await service.shiftClock(0);
  });
});
