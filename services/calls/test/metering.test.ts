import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startScene, type Party, type Scene } from './scene.ts';

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
const liveOf = async (identifier: string, event: string) =>
  (await scene.service.live()).filter((sent) => sent.event === event && sent.data['identifier'] === identifier);
const spent = (party: Party, money = 10_000) => money - scene.wallet.balance(party.student);

describe('POST api/call/bill', () => {
  test('charges all due steps', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    await scene.service.shiftClock(90);
    expect((await scene.bill(party, identifier)).body).toEqual([]);
    expect([spent(party), scene.wallet.charges(identifier).length]).toEqual([200, 2]);
  });

  test.each([
    ['for an unknown identifier', async () => 'nothing', 404, 'it could not be found'],
    [
      'for a call of another teacher',
      async () => (await scene.begin(scene.party())).identifier,
      404,
      'it could not be found',
    ],
    [
      'for a ringing call',
      async (party: Party) => {
        await scene.init(party);
        const [call] = await scene.service.rows<{ identifier: string }>(
          'select identifier from call where student_id = $1',
          [party.student],
        );
        return call!.identifier;
      },
      409,
      'it is not active',
    ],
    [
      'for an ended call',
      async (party: Party) => {
        const { identifier, channel } = await scene.begin(party);
        await scene.end('teacher', party, identifier, channel);
        return identifier;
      },
      409,
      'it is not active',
    ],
  ])('is refused %s', async (_name, prepare, status, why) => {
    const party = scene.party();
    const answer = await scene.bill(party, await prepare(party));
    expect([answer.status, answer.body.message]).toEqual([status, `The call cannot be billed: ${why}.`]);
  });

  test.each([
    ['without an identifier', {}, 'The identifier field is required.'],
    ['with a number as identifier', { identifier: 7 }, 'The identifier field must be a string.'],
  ])('is a 422 %s', async (_name, body, message) => {
    const answer = await scene.service.api.teacher(1).post('/api/call/bill', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('is for teachers only', async () => {
    expect((await scene.service.api.student(1).post('/api/call/bill', {})).status).toBe(403);
  });

  test('uses the prices and commission of the acceptance', async () => {
    const party = scene.party();
    await scene.service.receive('setting.changed', { name: 'commission_percent', value: 15, version: 2 });
    const { identifier } = await scene.begin(party, 'audio');
    await scene.service.receive('setting.changed', { name: 'commission_percent', value: 50, version: 3 });
    await scene.service.api.admin('su').put('/api/admin/services/2', { iterator_cost: 9_000 });
    await scene.service.shiftClock(61);
    await scene.bill(party, identifier);
    await scene.service.api.admin('su').put('/api/admin/services/2', { iterator_cost: 25 });
    await scene.service.receive('setting.changed', { name: 'commission_percent', value: 0, version: 4 });
    // 75 and 25, of which the platform keeps floor(11.25) and floor(3.75).
    expect([spent(party), scene.wallet.balance(party.teacher)]).toEqual([100, 86]);
  });

  test('charges no step twice and ends no call when the clock steps back', async () => {
    const party = scene.party();
    const { identifier, channel, lasted } = await scene.begin(party);
    await scene.service.shiftClock(100);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(-5_000);
    expect((await scene.bill(party, identifier)).status).toBe(200);
    expect(spent(party)).toBe(200);
    await scene.end('student', party, identifier, channel);
    expect(await settled(identifier)).toMatchObject({ steps: 2, total_cost: 200, total_duration: lasted(100) });
  });

  test('counts the steps of a free service without charges', async () => {
    const party = scene.party(0);
    const su = scene.service.api.admin('su');
    await su.put('/api/admin/services/2', { base_cost: 0, iterator_cost: 0 });
    const { identifier, channel } = await scene.begin(party, 'audio');
    await su.put('/api/admin/services/2', { base_cost: 50, iterator_cost: 25 });
    await scene.service.shiftClock(61);
    expect((await scene.bill(party, identifier)).status).toBe(200);
    await scene.end('teacher', party, identifier, channel);
    expect(await settled(identifier)).toMatchObject({ steps: 2, total_cost: 0 });
    expect(scene.wallet.charges(identifier)).toEqual([]);
  });
});

describe('when the money runs out', () => {
  test('only the student is warned, one step in advance', async () => {
    const party = scene.party(240);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    expect(await liveOf(identifier, 'call.low_balance')).toEqual([]);
    await scene.service.shiftClock(61);
    await scene.bill(party, identifier);
    const [warning, ...more] = await liveOf(identifier, 'call.low_balance');
    expect(more).toEqual([]);
    const { accepted_at } = await scene.row(identifier);
    expect(warning).toMatchObject({ to: `user.${party.student}`, data: { identifier, available: 40 } });
    const due = Date.parse(String(warning!.data['next_due_at'])) - Date.parse(String(accepted_at));
    expect(due).toBe(120_000);
  });

  test('a bill charges the affordable steps, ends the call at its first unpaid step and is refused', async () => {
    const party = scene.party(240);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(100);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(200);
    const answer = await scene.bill(party, identifier);
    expect([answer.status, answer.body.message]).toEqual([
      402,
      "The call cannot be billed: the student's balance is not sufficient.",
    ]);
    const call = await settled(identifier);
    expect(call).toMatchObject({
      state: 'ended',
      ended_by: 'exhaustion',
      steps: 2,
      total_cost: 200,
      total_duration: 120,
    });
    expect([scene.wallet.balance(party.student), scene.wallet.held(party.student)]).toEqual([40, 0]);
    expect((await liveOf(identifier, 'call.ended')).map(({ data }) => data['reason'])).toEqual([
      'exhaustion',
      'exhaustion',
    ]);
  });

  test('a bill of three steps with money for two charges two and is a 402', async () => {
    const party = scene.party(220);
    const { identifier } = await scene.begin(party);
    await scene.service.shiftClock(90);
    await scene.bill(party, identifier);
    await scene.service.asOwner(`update call set billed_at = billed_at + interval '1 hour' where identifier = $1`, [
      identifier,
    ]);
    await scene.service.shiftClock(3_700);
    const answer = await scene.bill(party, identifier);
    expect(answer.status).toBe(402);
    expect(await settled(identifier)).toMatchObject({ steps: 2, total_duration: 120, ended_by: 'exhaustion' });
  });

  test('a job ends the call when its next step is due and cannot be paid', async () => {
    const party = scene.party(160);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(61);
    expect(await settled(identifier)).toMatchObject({ ended_by: 'exhaustion', steps: 1, total_duration: 60 });
  });

  test('the call continues after a deposit in time', async () => {
    const party = scene.party(160);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    scene.wallet.deposit(party.student, 500);
    await scene.service.shiftClock(61);
    expect((await scene.bill(party, identifier)).status).toBe(200);
    expect(await scene.row(identifier)).toMatchObject({ state: 'active', steps: 2 });
  });
});
