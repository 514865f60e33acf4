import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, register, type Person } from './people.ts';
import { startSystem, type System } from './system.ts';

/*
 * A payout through five real processes: a teacher adds an account and withdraws, an administrator makes a batch,
 * downloads its file and applies the bank's results, and the teacher is told.
 */

let system: System;
let teacher: Person;
let admin: string;
let account: { id: number; account: string };
let withdrawal: number;
let batch: number;

beforeAll(async () => {
  system = await startSystem();
  teacher = await register(system, 'teacher', 'Kossi Mensah');
  admin = await adminToken(system);
  await system.sql('wallet', 'insert into account (user_id, balance) values ($1, 9000)', [teacher.id]);
});
afterAll(async () => {
  await system.stop();
});

const upload = async (path: string, file: string) => {
  const form = new FormData();
  form.set('file', new Blob([file]), 'results.csv');
  const answer = await fetch(`${system.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}` },
    body: form,
  });
  return (await answer.json()) as { success: boolean; data: { import_id: number; rows: { verdict: string }[] } };
};

test('a teacher adds a payout account with the password, and is told by mail', async () => {
  const me = as(system, teacher.token);
  const form = { method: 'tmoney', account: '90 11 22 33', holder_name: 'Kossi Mensah' };
  const wrong = await me.post('api/payout-accounts', { ...form, current_password: 'wrong' });
  expect([wrong.status, wrong.body.errors]).toEqual([422, { current_password: ['The password is incorrect.'] }]);
  account = data(await me.post('api/payout-accounts', { ...form, current_password: teacher.password }));
  expect(account).toMatchObject({ account: '+22890112233', kind: 'phone' });
  await eventually('the letter arrives', async () =>
    (await system.mailbox()).some(({ to, text }) => to === teacher.email && text.includes('payout account was added')),
  );
});

test('an administrator makes a batch, and downloads always the same file', async () => {
  const asked = { amount: 5_000, payout_account_id: account.id };
  withdrawal = data<{ id: number }>(await as(system, teacher.token).post('api/withdrawals', asked)).id;
  const su = as(system, admin);
  batch = data<{ id: number }>(
    await su.post('api/admin/payout-batches', { withdrawal_ids: [withdrawal], format: 'csv' }),
  ).id;
  data(await su.post(`api/admin/payout-batches/${batch}/approve`));
  const exported = data<{ file: { sha256: string } }>(await su.post(`api/admin/payout-batches/${batch}/export`));
  const download = async () => {
    const headers = { authorization: `Bearer ${admin}` };
    const answer = await fetch(`${system.url}/api/admin/payout-batches/${batch}/file`, { headers });
    return { text: await answer.text(), digest: answer.headers.get('content-digest') };
  };
  const file = await download();
  const digest = createHash('sha256').update(file.text).digest();
  expect(file.text).toContain(`W${withdrawal}-${batch},5000,XOF,tmoney,+22890112233,Kossi Mensah,`);
  expect(exported.file.sha256).toBe(digest.toString('hex'));
  expect(file.digest).toBe(`sha-256=:${digest.toString('base64')}:`);
  expect(await download()).toEqual(file);
});

test('the results of the bank pay the withdrawal, and the teacher is told', async () => {
  const path = `api/admin/payout-batches/${batch}/results`;
  const read = await upload(path, `reference;status\r\nW${withdrawal}-${batch};Payé\r\n`);
  expect(read).toMatchObject({ success: true, data: { rows: [{ verdict: 'paid' }] } });
  const applied = await as(system, admin).post(`${path}/${read.data.import_id}/apply`);
  expect(data(applied)).toEqual({ applied: 1, skipped: 0 });
  expect(data(await as(system, teacher.token).get(`api/withdrawals/${withdrawal}`))).toMatchObject({
    status: 'success',
  });
  await eventually('the letter arrives', async () =>
    (await system.mailbox()).some(({ to, text }) => to === teacher.email && text.includes('5,000 XOF was paid')),
  );
  const own = await as(system, teacher.token).get('api/me/export');
  expect(own.body.payout_accounts).toMatchObject([{ account: '+22890112233' }]);
});

test('a payment provider pays a batch without a file, and the teacher is told', async () => {
  const asked = { amount: 3_000, payout_account_id: account.id };
  const { id } = data<{ id: number }>(await as(system, teacher.token).post('api/withdrawals', asked));
  const su = as(system, admin);
  const batches = 'api/admin/payout-batches';
  const made = data<{ id: number }>(await su.post(batches, { withdrawal_ids: [id], format: 'provider' }));
  data(await su.post(`${batches}/${made.id}/approve`));
  expect(data(await su.post(`${batches}/${made.id}/export`))).toMatchObject({ file: null });
  await eventually('the batch is closed', async () => {
    const { status } = data<{ status: string }>(await su.get(`${batches}/${made.id}`));
    return status === 'closed';
  });
  expect(data(await as(system, teacher.token).get(`api/withdrawals/${id}`))).toMatchObject({
    status: 'success',
    ref: `sandbox-W${id}-${made.id}`,
  });
  await eventually('the letter arrives', async () =>
    (await system.mailbox()).some(({ to, text }) => to === teacher.email && text.includes('3,000 XOF was paid')),
  );
});
