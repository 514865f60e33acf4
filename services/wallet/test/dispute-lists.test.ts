import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { findPostingsOf, findPostingsOfCalls } from '../src/ledger/statement-store.ts';
import { callsPaidBy } from '../src/disputes/evidence.ts';
import { spentLines } from '../src/disputes/evidence-store.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let events = 0;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const send = (type: string, deposit_id: number, more: Record<string, unknown> = {}) =>
  wallet.webhook({ id: `claim-${(events += 1)}`, type, deposit_id, ...more });
const admin = () => wallet.service.api.admin();
const disputesOf = async (student: number) =>
  (await admin().post('/api/admin/disputesall', { user_id: student })).body.data;
const balanceOf = async (student: number) => (await wallet.balance(student)).balance;

/** A student known to the wallet with a paid deposit. */
async function paid(amount: number) {
  const student = wallet.newUser();
  await wallet.tellUser(student);
  return { student, id: await wallet.topUp(student, amount) };
}

test('the lists filter by status, user and text, and need the right money', async () => {
  const { student, id } = await paid(700);
  await send('dispute.opened', id, { amount: 700, dispute_id: 'dp_findable' });
  const listed = async (filter: Record<string, unknown>) =>
    (await admin().post('/api/admin/disputesall', filter)).body.data.map(
      (one: { provider_ref: string }) => one.provider_ref,
    );
  expect(await listed({ filter_value: 'FINDABLE' })).toEqual(['dp_findable']);
  expect(await listed({ user_id: student, status: 'needs_response' })).toEqual(['dp_findable']);
  expect(await listed({ user_id: student, status: 'won' })).toEqual([]);
  const other = await wallet.topUp(student, 700);
  await send('dispute.opened', other, { amount: 100, dispute_id: 'dp_other' });
  expect(await listed({ user_id: student })).toEqual(['dp_other', 'dp_findable']);
  expect(await listed({ deposit_id: id })).toEqual(['dp_findable']);
  expect(await listed({ deposit_id: other, user_id: student, filter_value: 'dp_' })).toEqual(['dp_other']);
  expect(await listed({ deposit_id: String(other), status: 'won' })).toEqual([]);
  expect(await listed({ deposit_id: 999_999 })).toEqual([]);
  expect((await admin().post('/api/admin/disputesall', { status: 'open' })).status).toBe(422);
  expect((await admin().get('/api/admin/disputes/999999')).status).toBe(404);
  expect((await wallet.service.api.student(student).post('/api/admin/disputesall', {})).status).toBe(403);
});

test('a search finds people by their contacts only with the right to see them', async () => {
  const student = wallet.newUser();
  await wallet.tellUser(student, { email: 'quark@example.org', name: 'Odo Kira' });
  const [disputed, refunded] = [await wallet.topUp(student, 700), await wallet.topUp(student, 700)];
  await send('dispute.opened', disputed, { amount: 100 });
  await wallet.service.receive('setting.changed', { name: 'deposit_refunds', value: 1, version: 2 });
  await wallet.service.api.student(student).post(`/api/deposits/${refunded}/refunds`, { amount: 100 });
  const clerk = { kind: 'admin', id: 7, name: 'Ada', level: 'default', tokenId: 7 } as const;
  for (const [rights, byEmail] of [
    [['money', 'approve'], 0],
    [['money', 'contacts'], 1],
  ] as const)
    for (const list of ['disputesall', 'deposit-refundsall']) {
      const { post } = wallet.service.api.as({ ...clerk, rights: [...rights] });
      const totalOf = async (filter_value: string) =>
        (await post(`/api/admin/${list}`, { filter_value })).body.total as number;
      expect([list, await totalOf('odo kira'), await totalOf('quark@example')]).toEqual([list, 1, byEmail]);
    }
});

test('identity exports disputes and refunds of a person', async () => {
  const { student, id } = await paid(700);
  await send('dispute.opened', id, { amount: 700 });
  const identity = wallet.service.api.service('identity');
  const { items } = (await identity.get(`/internal/users/${student}/disputes`)).body;
  expect(items).toEqual(await disputesOf(student));
  expect((await identity.get(`/internal/users/${student}/deposit-refunds`)).body).toEqual({ items: [], next: null });
});

test('the page of the sandbox opens, decides and refunds', async () => {
  const student = wallet.newUser();
  const { body } = await wallet.service.api.student(student).post('/api/deposits', { amount: 1_000 });
  const path = new URL(body.checkout_url).pathname;
  const press = (on: string, action: string) =>
    wallet.service.api.anonymous.post(on, `action=${action}`, { 'content-type': 'application/x-www-form-urlencoded' });
  expect((await press(`${path}/claims`, 'dispute')).status).toBe(404);
  expect((await press(path, 'pay')).text).toContain(`href="${path}/claims"`);
  const page = await wallet.service.api.anonymous.get(`${path}/claims`);
  expect([page.status, page.text.match(/name="action"/g)?.length]).toEqual([200, 4]);
  expect((await press(`${path}/claims`, 'dispute')).status).toBe(200);
  expect(await balanceOf(student)).toBe(0);
  await press(`${path}/claims`, 'win');
  expect(await balanceOf(student)).toBe(1_000);
  await wallet.topUp(student, 1_000);
  for (let time = 0; time < 2; time += 1) await press(`${path}/claims`, 'refund');
  expect(await balanceOf(student)).toBe(1_000);
  const breaks = (await admin().post('/api/admin/breaksall', { kind: 'amount' })).body.data;
  expect(breaks).toMatchObject([{ ours: `deposit:${body.id}`, amount_ours: 1_000, amount_theirs: 2_000 }]);
});

test('a refund reported after its failure takes nothing and makes no break', async () => {
  const { student, id } = await paid(700);
  for (const type of ['refund.failed', 'refund.created']) await send(type, id, { amount: 700, refund_id: 're_late' });
  expect(await balanceOf(student)).toBe(700);
  expect((await admin().post('/api/admin/breaksall', { filter_value: 're_late' })).body.data).toEqual([]);
});

test('disputes take at most what a deposit has credited to the platform', async () => {
  const student = wallet.newUser();
  const { id } = (await wallet.service.api.student(student).post('/api/deposits', { amount: 900 })).body;
  await wallet.service.receive('user.changed', user(student, 'student', { deleted: true, version: 9 }));
  await wallet.provider(id, 'succeeded');
  for (const dispute_id of ['first', 'second'])
    await send('dispute.opened', id, { amount: 600, dispute_id: `${dispute_id}-${id}` });
  expect(await disputesOf(student)).toMatchObject([
    { taken: 300, owed: 0 },
    { taken: 600, owed: 0 },
  ]);
});

test('a dispute takes the money of its own deposit, so that a later call is paid by the other', async () => {
  const { student, id } = await paid(1_000);
  const disputed = await wallet.topUp(student, 1_000);
  await send('dispute.opened', disputed, { amount: 1_000 });
  const calls = [wallet.newCall(), wallet.newCall()];
  for (const call of calls)
    await wallet.charge({ call, step: 1, student, teacher: wallet.newUser(), amount: 500, percent: 10 });
  const { manager } = wallet.service.service.database;
  const lines = await spentLines(manager, student);
  expect([...callsPaidBy(lines, disputed)]).toEqual([]);
  expect([...callsPaidBy(lines, id)]).toEqual(calls.map((call) => [call, 500]));
  const each = await Promise.all(
    calls.map(async (identifier) =>
      (await findPostingsOf(manager, identifier)).map((posting) => ({ identifier, ...posting })),
    ),
  );
  expect(await findPostingsOfCalls(manager, calls)).toEqual(each.flat());
});
