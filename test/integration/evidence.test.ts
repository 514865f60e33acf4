import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newPrefix } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { startWallet, type Wallet } from '../../services/wallet/test/wallet.ts';

/* Evidence about a dispute: wallet knows what the deposit bought, identity from where the student signed in. */

let identity: TestIdentity;
let wallet: Wallet;
beforeAll(async () => {
  const prefix = newPrefix();
  identity = await startIdentity({}, { prefix });
  wallet = await startWallet({ IDENTITY_URL: identity.url }, { prefix });
});
afterAll(async () => {
  await wallet.stop();
  await identity.end();
});

test('the evidence has the calls that the deposit paid, oldest money first, and the sign-ins', async () => {
  const [student, teacher] = [
    await identity.user({ name: 'Awa' }),
    await identity.user({ platform: 'teacher', name: 'Kossi' }),
  ];
  await identity.login(student.email);
  const first = await wallet.topUp(student.id, 1_000);
  await wallet.topUp(student.id, 1_000);
  const pair = { student: student.id, teacher: teacher.id };
  await wallet.charge({ call: 'one', step: 1, ...pair, amount: 400, percent: 10, next: 400 });
  await wallet.charge({ call: 'one', step: 2, ...pair, amount: 400, percent: 10 });
  await wallet.charge({ call: 'two', step: 1, ...pair, amount: 500 });
  await wallet.service.api.admin('su').post('/api/admin/calls/one/refund', { amount: 100 });
  await wallet.webhook({ id: 'e1', type: 'dispute.opened', deposit_id: first, amount: 1_000 });
  const admin = wallet.service.api.admin();
  const [dispute] = (await admin.post('/api/admin/disputesall', {})).body.data;
  const evidence = (await admin.get(`/api/admin/disputes/${dispute.id}/evidence`)).body;
  const people = { student: { id: student.id, name: 'Awa' }, teacher: { id: teacher.id, name: 'Kossi' } };
  const at = expect.any(String);
  const charge = (call: string, step: number, amount: number) => ({
    ...{ step, amount, created_at: at },
    reference: `call:${call}:step:${step}`,
  });
  expect(evidence).toEqual({
    ...{ dispute_id: dispute.id, deposit_id: first, amount: 1_000, currency: 'XOF', student: people.student },
    deposited_at: at,
    calls: [
      {
        ...{ identifier: 'one', ...people, started_at: at, ended_at: at, steps: 2, amount: 800, from_deposit: 800 },
        charges: [charge('one', 1, 400), charge('one', 2, 400)],
        refunds: [{ reference: 'call:one:refund:1', amount: 100, created_at: at }],
      },
      {
        ...{ identifier: 'two', ...people, started_at: at, ended_at: at, steps: 1, amount: 500, from_deposit: 200 },
        charges: [charge('two', 1, 500)],
        refunds: [],
      },
    ],
    sign_ins: [{ at, network: expect.stringMatching(/^127\.0\.0\.|\/24$/) }],
  });
  expect((await admin.get('/api/admin/disputes/999999/evidence')).status).toBe(404);
});

test('a rejected refund reaches the student by mail', async () => {
  const student = await identity.user();
  const id = await wallet.topUp(student.id, 1_000);
  await wallet.service.receive('setting.changed', { name: 'deposit_refunds', value: 1, version: 50 });
  const asked = await wallet.service.api.student(student.id).post(`/api/deposits/${id}/refunds`, {});
  const decision = { status: 'rejected', details: 'Used today' };
  await wallet.service.api.admin().put(`/api/admin/deposit-refunds/${asked.body.id}`, decision);
  const mail = await eventually('the mail', async () =>
    (await identity.mailsTo(student.email)).find(({ subject }) => subject === 'Your refund was declined'),
  );
  expect(mail.text).toContain('Reason: Used today');
});
