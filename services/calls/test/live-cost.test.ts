import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { dueAt } from '../src/call/call.ts';
import { END_PATIENCE_MS } from '../src/deadlines.ts';
import { person, startScene, type Party, type Scene } from './scene.ts';

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

/** The live events about a call; checks that both participants received the same ones. */
async function liveEventsOf(identifier: string) {
  const liveEvents = (await scene.service.live()).filter(
    ({ data, event }) => data['identifier'] === identifier && !['call.ringing', 'call.low_balance'].includes(event),
  );
  const { student_id, teacher_id } = await scene.row(identifier);
  const [student, teacher] = [student_id, teacher_id].map((id) =>
    liveEvents.filter(({ to }) => to === `user.${String(id)}`),
  );
  expect(student!.map(({ data }) => data)).toEqual(teacher!.map(({ data }) => data));
  return student!;
}
const liveOf = async (identifier: string, event: string) =>
  (await liveEventsOf(identifier)).filter((sent) => sent.event === event);
const settled = (identifier: string) =>
  eventually('the call is settled', async () => (await liveOf(identifier, 'call.settled'))[0]);
const lastIdentifier = async ({ student }: Party) => {
  const [call] = await scene.service.rows<{ identifier: string }>('select identifier from call where student_id = $1', [
    student,
  ]);
  return call!.identifier;
};

describe('call.metered', () => {
  test('is sent to both participants for each charged step, with the total cost and the time of the next step', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    for (const seconds of [30, 61, 150]) {
      await scene.service.shiftClock(seconds);
      await scene.bill(party, identifier);
    }
    const accepted = String((await scene.row(identifier))['accepted_at']);
    const step = (steps: number, total_cost: number) => ({
      event: 'call.metered',
      data: { identifier, steps, total_cost, next_due_at: dueAt(accepted, steps + 1, 60) },
    });
    expect(await liveOf(identifier, 'call.metered')).toMatchObject([step(1, 150), step(2, 200), step(3, 250)]);
  });

  test('is sent once for a step whose charge was retried after a lost answer', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    scene.wallet.setMode('loses answers');
    await scene.bill(party, identifier);
    scene.wallet.setMode('fine');
    await eventually('the step is recorded', async () => (await scene.row(identifier))['steps'] === 1);
    expect(await liveOf(identifier, 'call.metered')).toHaveLength(1);
  });

  test('is sent once per step when bills are concurrent', async () => {
    const parties = Array.from({ length: 6 }, () => scene.party());
    const calls = await Promise.all(parties.map((party) => scene.begin(party)));
    await scene.service.shiftClock(61);
    await Promise.all(
      parties.flatMap((party, index) => [1, 2, 3].map(() => scene.bill(party, calls[index]!.identifier))),
    );
    for (const { identifier } of calls) {
      await eventually('both steps are recorded', async () => (await scene.row(identifier))['steps'] === 2);
      const sent = await liveOf(identifier, 'call.metered');
      expect(sent.map(({ data }) => data['steps'])).toEqual([1, 2]);
    }
  });

  test('has the id of the request that made the charge', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    const { teacher } = party;
    await scene.service.api
      .teacher(teacher)
      .post('/api/call/bill', { identifier }, { 'x-request-id': `bill-of-${teacher}` });
    const [stored] = await scene.service.rows<{ context: object }>(
      `select context from outbox where name = 'call.metered' and data ->> 'identifier' = $1`,
      [identifier],
    );
    expect(stored!.context).toMatchObject({ requestId: `bill-of-${teacher}` });
  });
});

describe('call.settled', () => {
  test('is sent once to both participants, after the last charge and the end', async () => {
    const party = scene.party();
    const { identifier, channel, lasted } = await scene.begin(party);
    await scene.service.shiftClock(65);
    const since = performance.now();
    await scene.end('teacher', party, identifier, channel);
    const isInTime = performance.now() - since < END_PATIENCE_MS;
    await scene.end('student', party, identifier, channel);
    await settled(identifier);
    const sent = await liveEventsOf(identifier);
    const events = sent.map(({ event }) => event);
    const metered = sent.filter(({ event }) => event === 'call.metered');
    // The end waits for the charges as long as the request does.
    if (isInTime) expect(events.indexOf('call.ended')).toBeGreaterThan(events.lastIndexOf('call.metered'));
    expect([events[0], events.at(-1)]).toEqual(['call.accepted', 'call.settled']);
    expect(events.toSorted()).toEqual(['call.accepted', 'call.ended', 'call.metered', 'call.metered', 'call.settled']);
    expect(metered.map(({ data }) => [data['steps'], data['next_due_at']])).toEqual([
      [1, expect.any(String)],
      [2, null],
    ]);
    expect(sent.at(-1)).toMatchObject({
      data: { identifier, steps: 2, total_cost: 200, total_duration: lasted(65), ended_by: 'teacher' },
    });
  });

  test('is sent after an outage of wallet', async () => {
    const party = scene.party();
    const { identifier, channel } = await scene.begin(party);
    scene.wallet.setMode('down');
    await scene.end('student', party, identifier, channel);
    expect((await liveEventsOf(identifier)).map(({ event }) => event)).toEqual(['call.accepted', 'call.ended']);
    scene.wallet.setMode('fine');
    expect(await settled(identifier)).toMatchObject({ data: { steps: 1, total_cost: 150, ended_by: 'student' } });
  });

  test.each<[string, string, (party: Party, identifier: string) => Promise<unknown>]>([
    ['is silence after two steps without a bill', 'silence', () => scene.service.shiftClock(121)],
    [
      'is ban after a ban of a participant',
      'ban',
      ({ student }) =>
        scene.service.receive('user.changed', person(student, 'student', { status: 'banned', version: 2 })),
    ],
  ])('ended_by %s', async (_name, ended_by, happens) => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    await happens(party, identifier);
    expect((await settled(identifier)).data).toMatchObject({ ended_by });
    expect((await liveEventsOf(identifier)).map(({ event, data }) => [event, data['next_due_at']])).toEqual([
      ['call.accepted', undefined],
      ['call.metered', null],
      ['call.ended', undefined],
      ['call.settled', undefined],
    ]);
  });

  test('ended_by is money when the student cannot pay the next step', async () => {
    const party = scene.party(160);
    const { identifier } = await scene.begin(party);
    await scene.service.shiftClock(61);
    expect((await scene.bill(party, identifier)).status).toBe(402);
    expect((await settled(identifier)).data).toMatchObject({ steps: 1, ended_by: 'money' });
  });

  test.each<[string, string | null, (party: Party) => Promise<unknown>]>([
    ['canceled', 'student', (party) => scene.cancel(party)],
    ['rejected', 'teacher', (party) => scene.reject(party)],
    ['missed', null, () => scene.service.shiftClock(46)],
    [
      'canceled',
      'exhaustion',
      async (party) => {
        scene.wallet.deposit(party.student, -9_999);
        await scene.accept(party);
      },
    ],
    [
      'canceled',
      'ban',
      ({ teacher }) =>
        scene.service.receive('user.changed', person(teacher, 'teacher', { status: 'banned', version: 2 })),
    ],
  ])('is not sent for a call that was %s with ended_by %s', async (state, ended_by, happens) => {
    const party = scene.party();
    await scene.init(party);
    const identifier = await lastIdentifier(party);
    await happens(party);
    await eventually('it stops ringing', async () => (await scene.row(identifier))['state'] !== 'ringing');
    await scene.service.shiftClock(60);
    expect(await scene.row(identifier)).toMatchObject({ state, ended_by });
    expect(await liveOf(identifier, 'call.settled')).toEqual([]);
  });
});

test.each([
  ['2026-01-02T03:04:05.000006Z', 1, 60, '2026-01-02T03:04:05.000006Z'],
  ['2026-01-02T03:04:05.000006Z', 3, 60, '2026-01-02T03:06:05.000006Z'],
  ['2026-12-31T23:59:59.999999Z', 2, 2, '2027-01-01T00:00:01.999999Z'],
])('a call accepted at %s: step %i of %i seconds is due at %s', (accepted, step, iterator, due) => {
  expect(dueAt(accepted, step, iterator)).toBe(due);
});
