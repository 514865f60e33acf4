import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { createHash } from 'node:crypto';
import { lockWithdrawals } from '../src/withdrawals/withdrawal-store.ts';
import { CHECKER, MAKER, payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
});
afterAll(() => wallet.stop());

const as = (rights: string[], id: number) =>
  wallet.service.api.as({ kind: 'admin', id, name: `Clerk ${id}`, level: 'default', tokenId: id, rights });
const refusal = ({ status, body }: { status: number; body: { message: string } }) => [status, body.message];

describe('POST api/admin/payout-batches', () => {
  test('claims its withdrawals for the maker', async () => {
    const one = await payouts.withdrawal(2_000);
    const two = await payouts.withdrawal(3_000);
    const made = await payouts.make([one.id, two.id], { note: 'Week 48' });
    const nobody = { waiting: 0, sent: 0, paid: 0, failed: 0, uncertain: 0, removed: 0, returned: 0 };
    expect([made.status, made.body]).toEqual([
      200,
      {
        ...{ id: expect.any(Number), status: 'draft', format: 'csv', currency: 'XOF', count: 2, amount: 5_000 },
        items: { ...nobody, waiting: 2 },
        ...{ needs_approval: false, created_by: { id: MAKER, name: 'Ada Min' }, approved_by: null, approved_at: null },
        ...{ exported_at: null, closed_at: null, file: null, note: 'Week 48', version: 1 },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
      },
    ]);
    const claimed = (await payouts.su().get(`/api/admin/withdrawals/${one.id}`)).body;
    expect(claimed).toMatchObject({ status: 'pending', claimed_by: { id: MAKER } });
    expect((await wallet.balance(one.teacher)).held).toBe(2_000);
    const [item] = await payouts.items(made.body.id);
    expect(item).toEqual({
      ...{
        id: expect.any(Number),
        batch_id: made.body.id,
        withdrawal_id: one.id,
        reference: `W${one.id}-${made.body.id}`,
      },
      ...{ amount: 2_000, method: 'bank', account: 'SN-1', holder_name: null, user: { id: one.teacher, name: '' } },
      ...{ status: 'waiting', provider_ref: null, message: null, settled_by: null, settled_at: null },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    });
    expect(await payouts.batch(made.body.id)).toEqual(made.body);
    const audited = (await wallet.service.published('admin.acted')).find(
      ({ subject }) => subject === `payout_batch:${made.body.id}`,
    );
    expect(audited).toMatchObject({
      action: 'payout_batch.created',
      before: null,
      after: { status: 'draft', count: 2 },
    });
  });

  test('takes all or none: a 409 names the first that cannot be taken', async () => {
    const [free, taken] = [await payouts.withdrawal(), await payouts.withdrawal()];
    await payouts.put(taken.id, 'pending');
    expect(refusal(await payouts.make([free.id, taken.id]))).toEqual([
      409,
      `Withdrawal ${taken.id} cannot be paid: it has been claimed or decided. Nothing was changed.`,
    ]);
    expect(await payouts.status(free.id)).toBe('initiated');
    await wallet.tellUser(free.teacher, { platform: 'teacher', status: 'banned' });
    expect(refusal(await payouts.make([free.id]))).toEqual([
      409,
      `Withdrawal ${free.id} cannot be paid: its owner is banned. Nothing was changed.`,
    ]);
  });

  test('refuses repeated and unknown ids, other formats, formulas and more than 1,000', async () => {
    const { id } = await payouts.withdrawal();
    expect((await payouts.make([id, id, 999_999_999])).body.errors).toEqual({
      'withdrawal_ids.1': ['The withdrawal_ids.1 field has a duplicate value.'],
      'withdrawal_ids.2': ['The selected withdrawal_ids.2 is invalid.'],
    });
    expect((await payouts.make([id], { format: 'cheque' })).body.errors).toEqual({
      format: ['The selected format is invalid.'],
    });
    expect((await payouts.make([id], { note: '=1+1' })).body.errors).toEqual({
      note: ['The note field format is invalid.'],
    });
    expect((await payouts.make([id], { note: 'Week 48\uffff' })).status).toBe(422);
    expect((await payouts.make([])).status).toBe(422);
    expect((await payouts.make(Array.from({ length: 1_001 }, (_, index) => index + 1))).status).toBe(422);
    expect(await payouts.status(id)).toBe('initiated');
  });

  test('a withdrawal in the old form goes into csv alone, and a bank file needs the account of the debtor', async () => {
    const { id } = await payouts.withdrawal();
    expect(refusal(await payouts.make([id], { format: 'pain.001' }))).toEqual([
      409,
      'The account from which the bank pays is not configured.',
    ]);
  });

  test('a free text that would be a formula in the file cannot be paid by a batch', async () => {
    const teacher = await wallet.teacherWith(1_000);
    const evil = { amount: 1_000, method: 'bank', account: '=HYPERLINK("http://x")' };
    const { id } = (await wallet.service.api.teacher(teacher).post('/api/withdrawals', evil)).body;
    expect((await payouts.make([id])).status).toBe(409);
    const phone = { amount: 1_000, method: 'bank', account: '+228 90 11 22 33' };
    const other = await wallet.teacherWith(1_000);
    const fine = (await wallet.service.api.teacher(other).post('/api/withdrawals', phone)).body;
    const name = (text: string) =>
      wallet.service.asOwner('update withdrawal set holder_name = $2 where id = $1', [fine.id, text]);
    await name('Kossi;=HYPERLINK("http://x")');
    expect((await payouts.make([fine.id])).status).toBe(409);
    await name('Kossi');
    expect((await payouts.make([fine.id])).status).toBe(200);
  });

  test('50 at once leave one batch', async () => {
    const { id, teacher } = await payouts.withdrawal();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => retryWhile503(() => payouts.make([id], {}, 700 + index))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)]);
    expect((await wallet.balance(teacher)).held).toBe(1_000);
  });

  test('an index decides, whatever the code does', async () => {
    const { id } = await payouts.withdrawal();
    const { body } = await payouts.make([id]);
    const second = wallet.service.asOwner(
      `insert into payout_item (batch_id, withdrawal_id, user_id, amount) values ($1, $2, 1, 5)`,
      [body.id, id],
    );
    await expect(second).rejects.toMatchObject({ code: '23505' });
  });

  test('with an Idempotency-Key a repeat returns the same batch', async () => {
    const { id } = await payouts.withdrawal();
    const post = () =>
      payouts
        .su()
        .post(
          '/api/admin/payout-batches',
          { withdrawal_ids: [id], format: 'csv' },
          { 'idempotency-key': `batch-${id}` },
        );
    expect((await post()).body).toEqual((await post()).body);
  });
});

test('a preview names exclusions and warnings, and changes nothing', async () => {
  const [first, banned, claimed] = [await payouts.withdrawal(), await payouts.withdrawal(), await payouts.withdrawal()];
  await wallet.tellUser(banned.teacher, { platform: 'teacher', status: 'banned' });
  await payouts.put(claimed.id, 'pending');
  const ids = [first.id, banned.id, claimed.id];
  const preview = (await payouts.su().post('/api/admin/payout-batches/preview', { withdrawal_ids: ids })).body;
  expect(preview).toEqual({
    ...{ count: 1, amount: 1_000 },
    excluded: [
      { withdrawal_id: banned.id, reason: 'banned' },
      { withdrawal_id: claimed.id, reason: 'not_initiated' },
    ],
    warnings: [
      { withdrawal_id: first.id, code: 'first_payout' },
      { withdrawal_id: first.id, code: 'same_account_as_another' },
    ],
  });
  expect(await payouts.status(first.id)).toBe('initiated');
});

test('a preview does not wait for who decides on the same withdrawals', async () => {
  const { id } = await payouts.withdrawal();
  const preview = await wallet.service.service.database.transact(async (tx) => {
    await lockWithdrawals(tx, [id]);
    return payouts.su().post('/api/admin/payout-batches/preview', { withdrawal_ids: [id] });
  });
  expect([preview.status, preview.body.count]).toEqual([200, 1]);
});

test('a batch forgets what was said about an earlier payout of its withdrawal', async () => {
  const { id } = await payouts.withdrawal();
  const say = (body: object) => payouts.su().put(`/api/admin/withdrawals/${id}`, body);
  await say({ status: 'success', ref: 'OLD', details: 'old news' });
  await say({ status: 'initiated' });
  const { body } = await payouts.make([id]);
  const about = async () => (await payouts.su().get(`/api/admin/withdrawals/${id}`)).body;
  expect(await about()).toMatchObject({ status: 'pending', ref: null, details: null });
  const [payment] = await wallet.service.rows('select ref, details from payment where source = $1', [
    `withdrawal:${id}`,
  ]);
  expect(payment).toEqual({ ref: null, details: null });
  await payouts.act(body.id, 'cancel');
  expect(await about()).toMatchObject({ status: 'initiated', ref: null, details: null });
});

describe('changes before the export', () => {
  test('an administrator who saw another version approves nothing', async () => {
    const [one, two] = [await payouts.withdrawal(), await payouts.withdrawal()];
    const { body } = await payouts.make([one.id, two.id]);
    const [item] = await payouts.items(body.id);
    const removed = await payouts.su().delete(`/api/admin/payout-batches/${body.id}/items/${item.id}`);
    expect(removed.body).toEqual({ message: 'The payout has been removed from the batch.' });
    expect(await payouts.status(one.id)).toBe('initiated');
    expect(refusal(await payouts.act(body.id, 'approve', CHECKER, { expected_version: body.version }))).toEqual([
      409,
      'This was changed by Ada Min in the meantime.',
    ]);
    expect((await payouts.act(body.id, 'approve', CHECKER, { expected_version: 0 })).status).toBe(409);
    const left = await payouts.batch(body.id);
    expect(left).toMatchObject({ status: 'draft', count: 1, amount: 1_000, items: { waiting: 1, removed: 1 } });
    expect((await payouts.act(body.id, 'approve', CHECKER, { expected_version: left.version })).status).toBe(200);
    expect((await payouts.su().delete(`/api/admin/payout-batches/${body.id}/items/${item.id}`)).status).toBe(409);
    expect((await payouts.make([one.id])).status).toBe(200);
  });

  test('a canceled batch gives its withdrawals back, unclaimed', async () => {
    const { id, teacher } = await payouts.withdrawal();
    const { body } = await payouts.make([id]);
    await payouts.act(body.id, 'approve', CHECKER);
    const canceled = await payouts.act(body.id, 'cancel');
    expect(canceled.body).toMatchObject({ status: 'canceled', count: 0, amount: 0, items: { removed: 1 } });
    expect((await payouts.su().get(`/api/admin/withdrawals/${id}`)).body).toMatchObject({
      ...{ status: 'initiated', claimed_by: null, claimed_at: null },
    });
    expect((await wallet.service.api.teacher(teacher).post(`/api/withdrawals/${id}/cancel`)).status).toBe(200);
    for (const step of ['approve', 'export', 'cancel'] as const)
      expect((await payouts.act(body.id, step)).status).toBe(409);
  });

  test('meanwhile the withdrawal is decided nowhere else', async () => {
    const { id, teacher } = await payouts.withdrawal();
    const { body } = await payouts.make([id]);
    for (const status of ['initiated', 'pending', 'success', 'failed', 'canceled'])
      expect(refusal(await payouts.put(id, status))).toEqual([409, `This withdrawal is in payout batch ${body.id}.`]);
    expect((await wallet.service.api.teacher(teacher).post(`/api/withdrawals/${id}/cancel`)).status).toBe(409);
  });
});

describe('the file', () => {
  test('is written once, has always the same bytes, and each download is audited', async () => {
    const { id } = await payouts.withdrawal();
    const { body } = await payouts.make([id], { note: 'a "quoted", note' });
    expect((await payouts.act(body.id, 'export')).status).toBe(409);
    expect((await payouts.su().get(`/api/admin/payout-batches/${body.id}/file`)).status).toBe(409);
    await payouts.act(body.id, 'approve', CHECKER);
    const exported = (await payouts.act(body.id, 'export')).body;
    expect(exported).toMatchObject({ status: 'exported', items: { sent: 1 }, exported_at: expect.any(String) });
    expect((await payouts.act(body.id, 'export')).body).toEqual(exported);
    const text =
      'reference,amount,currency,method,account,holder_name,note\r\n' +
      `W${id}-${body.id},1000,XOF,bank,SN-1,,"a ""quoted"", note"\r\n`;
    for (let download = 0; download < 2; download += 1) {
      const file = await payouts.su().get(`/api/admin/payout-batches/${body.id}/file`);
      expect([file.status, file.text]).toEqual([200, text]);
      const digest = createHash('sha256').update(text).digest('base64');
      expect(file.headers.get('content-digest')).toBe(`sha-256=:${digest}:`);
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="payout-${body.id}.csv"`);
      expect(exported.file).toEqual({
        ...{ name: `payout-${body.id}.csv`, bytes: Buffer.byteLength(text) },
        sha256: createHash('sha256').update(text).digest('hex'),
      });
    }
    const downloads = (await wallet.service.published('admin.acted')).filter(
      ({ subject, action }) => subject === `payout_batch:${body.id}` && action === 'payout_batch.downloaded',
    );
    expect(downloads).toHaveLength(2);
  });

  test('needs the right contacts too; the items mask the account without it', async () => {
    const batch = await payouts.exported([(await payouts.withdrawal()).id]);
    const path = `/api/admin/payout-batches/${batch}`;
    expect((await as(['money', 'payout'], 31).get(`${path}/file`)).status).toBe(403);
    expect((await as(['money', 'payout', 'contacts'], 31).get(`${path}/file`)).status).toBe(200);
    expect((await as(['money'], 31).get(`${path}/items`)).body.data[0].account).toBe('••••');
  });
});

test('batches are listed by status and note, and sent live to administrators with the right `money`', async () => {
  const { body } = await payouts.make([(await payouts.withdrawal()).id], { note: 'Décembre à Lomé' });
  const found = async (filter: object) =>
    (await payouts.su().post('/api/admin/payout-batchesall', filter)).body.data.map(({ id }: { id: number }) => id);
  expect(await found({ filter_value: 'decembre' })).toEqual([body.id]);
  expect(await found({ status: 'draft', filter_value: String(body.id) })).toEqual([body.id]);
  expect(await found({ status: 'closed', filter_value: 'decembre' })).toEqual([]);
  const live = await wallet.service.rows<{ data: object }>(
    `select data from outbox where subject like '%admins%payout%' or name = 'payout.batch' order by id desc limit 1`,
  );
  expect(JSON.stringify(live)).toContain('Décembre à Lomé');
  expect((await payouts.su().get('/api/admin/payout-batches/999999')).status).toBe(404);
  expect((await payouts.su().get('/api/admin/payout-batches/999999/items')).status).toBe(404);
});
