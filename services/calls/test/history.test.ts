import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { resync } from '@tutoring/shared/kit/events/operate/resync';
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

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const internal = (path: string) =>
  scene.service.api.service(path.startsWith('/internal/rooms/') ? 'messaging' : 'identity').get(path);
const inCall = async (...user_ids: number[]) =>
  (await scene.service.api.service('messaging').post('/internal/live-calls', { user_ids })).body as unknown[];

const people = ({ student, teacher }: Party) => ({
  student_name: `student ${student}`,
  teacher_name: `teacher ${teacher}`,
  student_photo: 'http://public.test/api/assets/avatar.png',
  teacher_photo: 'http://public.test/api/assets/avatar.png',
  refunded: 0,
});

describe('GET api/calls', () => {
  test('lists calls to both participants only, newest first, with a cursor', async () => {
    const party = scene.party();
    const first = await scene.begin(party);
    await scene.bill(party, first.identifier);
    await scene.end('teacher', party, first.identifier, first.channel);
    await eventually('it is settled', async () => (await scene.row(first.identifier))['settled'] === true);
    await scene.init(party, 'audio');
    const list = await scene.service.api.student(party.student).get('/api/calls');
    expect(list.body).toEqual([
      {
        identifier: expect.any(String),
        state: 'ringing',
        call_type: 'audio',
        channel: first.channel,
        student_id: party.student,
        teacher_id: party.teacher,
        steps: 0,
        total_cost: 0,
        total_duration: null,
        created_at: ISO,
        accepted_at: null,
        ended_at: null,
        ...people(party),
        ended_by: null,
      },
      {
        identifier: first.identifier,
        state: 'ended',
        call_type: 'video',
        channel: first.channel,
        student_id: party.student,
        teacher_id: party.teacher,
        steps: 1,
        total_cost: 150,
        total_duration: first.lasted(0),
        created_at: ISO,
        accepted_at: ISO,
        ended_at: ISO,
        ...people(party),
        ended_by: 'teacher',
      },
    ]);
    const teacher = scene.service.api.teacher(party.teacher);
    expect((await teacher.get('/api/calls')).body).toEqual(list.body);
    const [newest] = list.body as { identifier: string }[];
    const older = await teacher.get(`/api/calls?before=${newest!.identifier}&limit=1`);
    expect(older.body.map((call: { identifier: string }) => call.identifier)).toEqual([first.identifier]);
    expect((await teacher.get(`/api/calls/${first.identifier}`)).body).toEqual(list.body[1]);
    expect((await scene.service.api.student(1).get(`/api/calls/${first.identifier}`)).status).toBe(404);
    expect((await scene.service.api.student(1).get('/api/calls')).body).toEqual([]);
  });

  test.each([
    ['limit=0', 'The limit field must be at least 1.'],
    ['before=nothing', 'The selected before is invalid.'],
    ['before=nothing&limit=0', 'The selected before is invalid. (and 1 more error)'],
  ])('with %s is a 422', async (query, message) => {
    const answer = await scene.service.api.student(1).get(`/api/calls?${query}`);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });
});

test('a limit above 100 is reduced to 100', async () => {
  const answer = await scene.service.api.student(1).get('/api/calls?limit=101');
  expect([answer.status, answer.body]).toEqual([200, []]);
});

describe('POST api/call/token', () => {
  const token = (who: number, identifier: string) =>
    scene.service.api.student(who).post('/api/call/token', { identifier });

  test('returns a token for the time that the balance pays while the call is live, and no token after the end', async () => {
    const party = scene.party();
    const rung = await scene.init(party);
    const { identifier } = (await scene.accept(party)).body.transaction as { identifier: string };
    const first = await token(party.student, identifier);
    expect(first.body).toEqual({ channel: rung.body.channel, token: expect.any(String), expires_at: ISO });
    expect(first.body.token).not.toBe(rung.body.token);
    expect((await token(party.student, identifier)).body).toEqual(first.body);
    const life = Date.parse(first.body.expires_at as string) - Date.now();
    expect(life).toBeLessThanOrEqual(24 * 3_600_000);
    await scene.service.asOwner(
      `update call set rtc_token_expires_at = app_now() + interval '1 hour' where identifier = $1`,
      [identifier],
    );
    const renewed = await token(party.student, identifier);
    expect(renewed.body.token).not.toBe(first.body.token);
    const call = { room_uuid: rung.body.channel, rtc_token: renewed.body.token };
    expect(await inCall(party.student, party.teacher)).toEqual([call, call]);
    expect((await token(scene.party().student, identifier)).status).toBe(404);
    await scene.end('student', party, identifier, rung.body.channel as string);
    expect((await token(party.student, identifier)).status).toBe(409);
  });
});

describe('other services can read', () => {
  test('whether a user is in a live call, with its room and token', async () => {
    const party = scene.party();
    const rung = await scene.init(party);
    const ask = async () => [
      ...(await inCall(party.student, scene.party().student, party.teacher)),
      (await internal(`/internal/users/${party.student}/live-call`)).body.live,
      (await internal(`/internal/users/${party.teacher}/live-call`)).body.live,
      (await internal(`/internal/rooms/${rung.body.channel}/token`)).body.rtc_token,
    ];
    const call = { room_uuid: rung.body.channel, rtc_token: rung.body.token };
    expect(await ask()).toEqual([call, null, call, true, true, rung.body.token]);
    await scene.reject(party);
    expect(await ask()).toEqual([null, null, null, false, false, null]);
  });

  test('the statistics of the dashboard', async () => {
    const before = (await internal('/internal/stats')).body as { count: number; seconds: number };
    const [ended, active] = [scene.party(), scene.party()];
    const call = await scene.begin(ended);
    await scene.begin(active);
    await scene.service.shiftClock(90);
    await scene.end('teacher', ended, call.identifier, call.channel);
    expect((await internal('/internal/stats')).body).toEqual({
      count: before.count + 2,
      active: 1,
      seconds: call.lasted(before.seconds + 90),
    });
  });

  test('the participants of a call', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    const read = (name: string) => scene.service.api.service('messaging').get(`/internal/calls/${name}`);
    expect((await read(identifier)).body).toEqual({ student_id: party.student, teacher_id: party.teacher });
    for (const name of ['0f3c7f3e-9a53-4d59-8a51-2f6c6f7d1b11', 'x', '%27'])
      expect((await read(name)).body.code).toBe('not_found');
  });

  test.each(['/internal/stats', '/internal/users/1/live-call'])(
    '%s, which users and administrators cannot',
    async (path) => {
      const { api } = scene.service;
      expect((await api.anonymous.get(path)).status).toBe(401);
      expect((await api.admin('su').get(path)).status).toBe(403);
    },
  );
});

test('a copy keeps the newest version, in whatever order events arrive', async () => {
  const { teacher } = scene.party();
  const receiveName = (name: string, version: number) =>
    scene.service.receive('user.changed', person(teacher, 'teacher', { name, version }));
  await receiveName('new', 5);
  await receiveName('old', 4);
  const [copy] = await scene.service.rows('select name, version from user_copy where id = $1', [teacher]);
  expect(copy).toEqual({ name: 'new', version: 5 });
});

test('events resync publishes all calls and all services', async () => {
  const { bus, database, parts } = scene.service.service;
  const resynced = async (name: string) =>
    resync({ name, consumer: 'identity', snapshots: parts.snapshots!, manager: database.manager, bus });
  const [counts] = await scene.service.rows<{ calls: number; services: number }>(
    'select (select count(*) from call) as calls, (select count(*) from service) as services',
  );
  expect([await resynced('call.changed'), await resynced('service.changed')]).toEqual([
    counts!.calls,
    counts!.services,
  ]);
});

test("the service's database user cannot delete calls", async () => {
  await expect(scene.service.rows('delete from call')).rejects.toThrow('permission denied');
});
