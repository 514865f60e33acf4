import { rows } from '@tutoring/shared/kit/database/sql';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { eventually } from '@tutoring/shared/testing/wait';
import { dueAt } from '../src/call/call.ts';
import { person, startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
  await scene.service.receive('setting.changed', { name: 'commission_percent', value: 15, version: 2 });
});
afterEach(async () => {
  scene.wallet.setMode('fine');
  await scene.service.shiftClock(0);
});
afterAll(async () => {
  await scene.stop();
});

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const as = (who: 'student' | 'teacher', party: Party) => scene.service.api[who](party[who]);
const receipt = (who: 'student' | 'teacher', party: Party, identifier: string) =>
  as(who, party).get(`/api/calls/${identifier}/receipt`);
const settled = (identifier: string) =>
  eventually('the call is settled', async () => (await scene.row(identifier))['settled'] === true);

/** A call with two steps, ended by the teacher. */
async function lesson(party = scene.party()) {
  const call = await scene.begin(party);
  await scene.service.shiftClock(65);
  await scene.end('teacher', party, call.identifier, call.channel);
  await settled(call.identifier);
  return { party, ...call };
}

describe('GET api/calls/{identifier}/receipt', () => {
  test('shows each step; the teacher also sees commission and earnings', async () => {
    const { party, identifier } = await lesson();
    const call = await scene.row(identifier);
    const accepted = String(call['accepted_at']);
    const line = (step: number, amount: number) => ({
      step,
      due_at: dueAt(accepted, step, 60),
      amount,
      ref: `call:${identifier}:step:${step}`,
    });
    const forStudent = {
      identifier,
      student_name: `student ${party.student}`,
      teacher_name: `teacher ${party.teacher}`,
      currency: 'XOF',
      lines: [line(1, 150), line(2, 50)],
      total: 200,
      refunded: 0,
      started_at: accepted,
      ended_at: call['ended_at'],
    };
    expect((await receipt('student', party, identifier)).body).toEqual(forStudent);
    expect((await receipt('teacher', party, identifier)).body).toEqual({ ...forStudent, commission: 29, earned: 171 });
  });

  test('shows the charges of the ledger, even when the answer to a charge was lost', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    scene.wallet.after('/internal/charges/batch', () => scene.wallet.setMode('loses answers'));
    await scene.bill(party, identifier);
    scene.wallet.setMode('fine');
    const early = (await receipt('student', party, identifier)).body;
    expect([early.total, early.lines.length]).toEqual([150, 1]);
    await eventually('the step is recorded', async () => (await scene.row(identifier))['steps'] === 1);
    expect((await receipt('student', party, identifier)).body).toEqual(early);
  });

  test('shows the charges so far during the call', async () => {
    const party = scene.party();
    const { identifier } = await scene.begin(party);
    expect((await receipt('student', party, identifier)).body).toMatchObject({ lines: [], total: 0, ended_at: null });
    await scene.bill(party, identifier);
    const running = (await receipt('student', party, identifier)).body;
    expect(running).toMatchObject({ lines: [{ step: 1, amount: 150 }], total: 150, started_at: ISO, ended_at: null });
  });

  test('shows refunds separately from the total', async () => {
    const { party, identifier } = await lesson();
    scene.wallet.refund(identifier, 30);
    scene.wallet.refund(identifier, 12);
    expect((await receipt('student', party, identifier)).body).toMatchObject({ total: 200, refunded: 42 });
  });

  test('shows free steps without a reference', async () => {
    const su = scene.service.api.admin('su');
    await su.put('/api/admin/services/2', { base_cost: 0, iterator_cost: 0 });
    const party = scene.party(0);
    const call = await scene.begin(party, 'audio');
    await su.put('/api/admin/services/2', { base_cost: 50, iterator_cost: 25 });
    await scene.service.shiftClock(65);
    await scene.end('student', party, call.identifier, call.channel);
    await settled(call.identifier);
    const { body } = await receipt('student', party, call.identifier);
    expect(body.lines.map(({ step, amount, ref }: Record<string, unknown>) => [step, amount, ref])).toEqual([
      [1, 0, null],
      [2, 0, null],
    ]);
    expect(body.total).toBe(0);
  });

  test('is empty for a rejected call', async () => {
    const party = scene.party();
    await scene.init(party);
    await scene.reject(party);
    const [{ identifier }] = (await as('student', party).get('/api/calls')).body;
    expect((await receipt('student', party, identifier)).body).toMatchObject({
      lines: [],
      total: 0,
      started_at: null,
      ended_at: null,
    });
  });

  test('is for the participants of the call only, and unavailable while wallet is down', async () => {
    const { party, identifier } = await lesson();
    const stranger = scene.party();
    expect((await receipt('student', stranger, identifier)).status).toBe(404);
    expect((await receipt('student', party, 'nothing')).status).toBe(404);
    expect((await scene.service.api.admin().get(`/api/calls/${identifier}/receipt`)).status).toBe(403);
    scene.wallet.setMode('down');
    const away = await receipt('student', party, identifier);
    expect([away.status, away.body.code]).toEqual([503, 'unavailable']);
    expect((await as('student', party).get(`/api/calls/${identifier}`)).status).toBe(200);
  });
});

describe('refunds', () => {
  test('are shown with each call, in the newest version', async () => {
    const { party, identifier } = await lesson();
    await scene.service.receive('refunds.changed', { identifier, refunded: 50, version: 2 });
    await scene.service.receive('refunds.changed', { identifier, refunded: 20, version: 1 });
    expect((await as('student', party).get(`/api/calls/${identifier}`)).body.refunded).toBe(50);
    expect((await as('teacher', party).get('/api/calls')).body[0].refunded).toBe(50);
  });
});

describe('administrators', () => {
  const list = (body: Record<string, unknown>) => scene.service.api.admin().post('/api/admin/callsall', body);
  const found = async (body: Record<string, unknown>) =>
    (await list(body)).body.data.map(({ identifier }: { identifier: string }) => identifier);

  test('find calls by state, type, user, day and text', async () => {
    const first = await lesson();
    const party = scene.party();
    await scene.service.receive(
      'user.changed',
      person(party.teacher, 'teacher', { name: 'Zoé 100%_Über', version: 2 }),
    );
    await scene.init(party, 'audio');
    const [{ identifier: second, created_at }] = (await as('student', party).get('/api/calls')).body;
    expect((await found({ pageItems: 2 }))[0]).toBe(second);
    expect(await found({ user_id: first.party.teacher })).toEqual([first.identifier]);
    expect(await found({ user_id: first.party.student, state: 'ringing' })).toEqual([]);
    expect(await found({ user_id: party.student, state: 'ringing', call_type: 'audio' })).toEqual([second]);
    expect(await found({ filter_value: first.identifier })).toEqual([first.identifier]);
    expect(await found({ filter_value: 'ZOE 100%_u' })).toEqual([second]);
    expect(await found({ filter_value: '100__' })).toEqual([]);
    expect(await found({ filter_value: '\\' })).toEqual([]);
    const day = (created_at as string).slice(0, 10);
    expect(await found({ from: day, to: day, user_id: party.student })).toEqual([second]);
    expect(await found({ to: '2020-01-01' })).toEqual([]);
    const page = (await list({ user_id: first.party.student })).body;
    expect(page).toMatchObject({ total: 1, current_page: 1, path: expect.stringContaining('/api/admin/callsall') });
    expect(page.data[0]).toEqual((await as('student', first.party).get(`/api/calls/${first.identifier}`)).body);
  });

  test('find calls by e-mail and phone number of a participant, until the account is deleted', async () => {
    const { party, identifier } = await lesson();
    const student = { email: 'adjo.K@example.org', phone_number: '+228 91 17 19 23' };
    const teacher = { email: '', unproven_email: 'not_proven@example.org', phone_number: '' };
    await scene.service.receive('user.changed', person(party.student, 'student', { ...student, version: 2 }));
    await scene.service.receive('user.changed', person(party.teacher, 'teacher', { ...teacher, version: 2 }));
    for (const text of ['ADJO.k@example', '91171923', '+228 91-17-19', 'NOT_PROVEN@'])
      expect([text, await found({ filter_value: text })]).toEqual([text, [identifier]]);
    expect(await found({ filter_value: 'adjo_k@' })).toEqual([]);
    const gone = { deleted: true, name: 'Deleted user', email: '', phone_number: '', version: 3 };
    await scene.service.receive('user.changed', person(party.student, 'student', gone));
    expect(await found({ filter_value: 'adjo.k@example' })).toEqual([]);
    expect(await found({ filter_value: '91171923' })).toEqual([]);
    const [copy] = await scene.service.rows<object>('select * from user_copy where id = $1', [party.student]);
    expect(JSON.stringify(copy)).not.toMatch(/adjo|1923/i);
  });

  test('at most twelve text searches run at once, and they delay no other request', async () => {
    const refused: TestResponse[] = [];
    const search = async () => {
      const answer = await list({ filter_value: 'n' });
      if (answer.body.message === 'Too many searches are under way. Please try again.') refused.push(answer);
      return answer;
    };
    const pending = await scene.service.service.database.transact(async (tx) => {
      await rows(tx, 'lock table user_copy in access exclusive mode');
      const searches = Array.from({ length: 20 }, search);
      await eventually('eight are refused', () => refused.length === 8);
      expect((await scene.service.api.admin().get('/api/admin/calls/x')).status).toBe(404);
      return searches;
    });
    const answers = await Promise.all(pending);
    expect(refused).toHaveLength(8);
    for (const { status, headers, body } of refused)
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'unavailable']);
    // On a busy machine the others may have timed out waiting for the lock.
    for (const { status } of answers) expect([200, 503]).toContain(status);
  });

  test('get a 422 for an unknown user, state or type; students are refused', async () => {
    const refused = await list({ user_id: 987_654_321, state: 'x', call_type: 'x' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['state', 'call_type', 'user_id']]);
    expect((await scene.service.api.student(1).post('/api/admin/callsall', {})).status).toBe(403);
    expect((await scene.service.api.student(1).get('/api/admin/calls/x')).status).toBe(403);
    expect((await scene.service.api.admin().get('/api/admin/calls/x')).status).toBe(404);
  });

  test('read the charges, refunds and timeline of a call', async () => {
    const party = scene.party(240);
    const { identifier } = await scene.begin(party);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(61);
    await scene.bill(party, identifier);
    await scene.service.shiftClock(121);
    expect((await scene.bill(party, identifier)).status).toBe(402);
    await settled(identifier);
    scene.wallet.refund(identifier, 30);
    const { body } = await scene.service.api.admin().get(`/api/admin/calls/${identifier}`);
    const { charges, refunds, timeline, ...row } = body;
    const seen = (await as('teacher', party).get(`/api/calls/${identifier}`)).body;
    // The event of the refund has not arrived: the detail shows the refunds of the ledger.
    expect([row, seen.refunded]).toEqual([{ ...seen, refunded: 30 }, 0]);
    const ref = (rest: string) => `call:${identifier}:${rest}`;
    expect(charges).toEqual([
      { step: 1, amount: 150, commission: 22, ref: ref('step:1'), created_at: ISO },
      { step: 2, amount: 50, commission: 7, ref: ref('step:2'), created_at: ISO },
    ]);
    expect(refunds).toEqual([{ amount: 30, ref: ref('refund:1'), created_at: ISO }]);
    expect(Object.keys(charges[0])).toEqual(['step', 'amount', 'commission', 'ref', 'created_at']);
    expect(Object.keys(refunds[0])).toEqual(['amount', 'ref', 'created_at']);
    const events = (timeline as { event: string; at: string }[]).map(({ event }) => event);
    expect(events.filter((event) => event !== 'billed')).toEqual([
      'rang',
      'accepted',
      'low_balance',
      'ended_by_money',
      'settled',
    ]);
    expect(events.filter((event) => event === 'billed')).toHaveLength(2);
    const times = (timeline as { at: string }[]).map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  test('see in the timeline of a missed call only that it rang', async () => {
    const party = scene.party();
    await scene.init(party);
    await scene.service.shiftClock(46);
    const [{ identifier }] = (await as('student', party).get('/api/calls')).body;
    await eventually('it is missed', async () => (await scene.row(identifier))['state'] === 'missed');
    const { body } = await scene.service.api.admin().get(`/api/admin/calls/${identifier}`);
    expect([body.state, body.ended_by, body.charges, body.refunds]).toEqual(['missed', null, [], []]);
    expect(body.timeline).toEqual([{ event: 'rang', at: ISO }]);
  });
});
