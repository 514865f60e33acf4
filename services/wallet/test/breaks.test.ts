import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rows } from '@tutoring/shared/kit/database/sql';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import type { NewBreak } from '../src/breaks/break.ts';
import { recordBreak } from '../src/breaks/break-service.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const record = (found: Partial<NewBreak> & { reference: string }) =>
  wallet.service.service.database.transact((tx) => recordBreak(tx, { kind: 'amount', provider: 'stripe', ...found }));
const listed = async (filter: Record<string, unknown> = {}) =>
  (await wallet.service.api.admin().post('/api/admin/breaksall', filter)).body;
const decide = (id: number, body: Record<string, unknown>) =>
  wallet.service.api.admin().put(`/api/admin/breaks/${id}`, body);

test('a break is recorded once while it is open, and again after it was resolved', async () => {
  const found = { reference: 'dispute:1', amount_ours: 5000, amount_theirs: 4000 };
  expect(await record(found)).toBe(true);
  const twice = await Promise.all([record(found), record({ ...found, amount_theirs: 3000 })]);
  expect(twice).toEqual([false, false]);
  const { data } = await listed({ filter_value: 'DISPUTE:1' });
  expect(data).toEqual([
    {
      id: expect.any(Number),
      kind: 'amount',
      provider: 'stripe',
      reference: 'dispute:1',
      ours: null,
      theirs: null,
      amount_ours: 5000,
      amount_theirs: 4000,
      status: 'open',
      note: '',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  const [{ id }] = data;
  const resolved = await decide(id, { status: 'resolved', note: 'A typo of theirs' });
  expect(resolved.body).toMatchObject({ id, status: 'resolved', note: 'A typo of theirs' });
  expect((await decide(id, { status: 'resolved', note: 'A typo of theirs' })).body).toEqual(resolved.body);
  const audited = await wallet.service.published('admin.acted');
  expect(audited.filter(({ subject }) => subject === `break:${id}`)).toEqual([
    expect.objectContaining({
      action: 'break.updated',
      before: { status: 'open', note: '' },
      after: { status: 'resolved', note: 'A typo of theirs' },
    }),
  ]);
  expect(await record(found)).toBe(true);
  expect((await decide(id, { status: 'open', note: 'Not resolved' })).status).toBe(409);
});

test('the list filters by kind and status and searches notes', async () => {
  await record({ kind: 'returned', reference: 'W1-1' });
  await record({ kind: 'over_limit', reference: 'deposit:9', provider: 'sandbox' });
  const [{ id }] = (await listed({ kind: 'returned' })).data;
  await decide(id, { status: 'resolved', note: 'Payé à la main' });
  const references = async (filter: Record<string, unknown>) =>
    (await listed(filter)).data.map(({ reference }: { reference: string }) => reference);
  expect(await references({ kind: 'over_limit' })).toEqual(['deposit:9']);
  expect(await references({ kind: 'returned', status: 'open' })).toEqual([]);
  expect(await references({ filter_value: 'paye a la' })).toEqual(['W1-1']);
  expect(await references({ filter_value: String(id) })).toEqual(['W1-1']);
});

test('a decision needs a note and an existing break', async () => {
  await record({ reference: 'dispute:2' });
  const [{ id }] = (await listed({ filter_value: 'dispute:2' })).data;
  expect((await decide(id, { status: 'resolved' })).status).toBe(422);
  expect((await decide(id, { status: 'closed', note: 'x' })).status).toBe(422);
  expect((await decide(999_999, { status: 'resolved', note: 'x' })).status).toBe(404);
});

test('opening a break again while a new one is recorded is a conflict', async () => {
  const found: NewBreak = { kind: 'amount', provider: 'stripe', reference: 'dispute:3' };
  await record(found);
  const [{ id }] = (await listed({ filter_value: 'dispute:3' })).data;
  await decide(id, { status: 'resolved', note: 'A typo' });
  const deciding = await wallet.service.service.database.transact(async (tx) => {
    await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
    await recordBreak(tx, found);
    const answer = retryWhile503(() => decide(id, { status: 'open', note: 'Not resolved' }));
    await eventually('it waits for the new one', async () => {
      const waiting = await wallet.service.rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    return { answer };
  });
  expect((await deciding.answer).status).toBe(409);
});
