import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

describe('maker and checker', () => {
  beforeAll(async () => void (await payouts.setting('payout_checker_from', 5_000)));
  afterAll(async () => void (await payouts.setting('payout_checker_from', 0)));
  const OTHER = [409, 'Another administrator must approve this batch.'];

  test('a batch of that amount is approved by another administrator, not by a super administrator who made it', async () => {
    const { body } = await payouts.make([(await payouts.withdrawal(5_000)).id]);
    expect(body.needs_approval).toBe(true);
    expect(refusal(await payouts.act(body.id, 'approve', MAKER))).toEqual(OTHER);
    const token = wallet.service.api.as({ kind: 'admin', id: MAKER, name: 'Ada', level: 'su', tokenId: 77 });
    expect(refusal(await token.post(`/api/admin/payout-batches/${body.id}/approve`, {}))).toEqual(OTHER);
    const approved = await payouts.act(body.id, 'approve', CHECKER);
    expect(approved.body).toMatchObject({
      status: 'approved',
      approved_by: { id: CHECKER },
      approved_at: expect.any(String),
    });
  });

  test('holds for a maker whose role changed, and for one who lost the right', async () => {
    const { id } = await payouts.withdrawal(5_000);
    const path = '/api/admin/payout-batches';
    const made = await as(['money', 'payout'], 21).post(path, { withdrawal_ids: [id], format: 'csv' });
    expect((await as(['money', 'approve'], 21).post(`${path}/${made.body.id}/approve`, {})).status).toBe(409);
    expect((await as(['money', 'payout'], 22).post(`${path}/${made.body.id}/approve`, {})).status).toBe(403);
    expect((await as(['money', 'approve'], 22).post(`${path}/${made.body.id}/approve`, {})).status).toBe(200);
    expect((await as(['money', 'approve'], 22).post(`${path}/${made.body.id}/export`, {})).status).toBe(403);
  });

  test('a setting that falls or rises after the batch was made does not open it', async () => {
    const strict = (await payouts.make([(await payouts.withdrawal(5_000)).id])).body;
    const loose = (await payouts.make([(await payouts.withdrawal(4_000)).id])).body;
    expect(loose.needs_approval).toBe(false);
    await payouts.setting('payout_checker_from', 0);
    expect((await payouts.act(strict.id, 'approve', MAKER)).status).toBe(409);
    await payouts.setting('payout_checker_from', 1_000);
    expect((await payouts.act(loose.id, 'approve', MAKER)).status).toBe(409);
    await payouts.setting('payout_checker_from', 5_000);
    expect((await payouts.act(loose.id, 'approve', MAKER)).status).toBe(200);
  });

  test('a setting that falls after the maker approved stops the export', async () => {
    const batch = async () => {
      const { body } = await payouts.make([(await payouts.withdrawal(4_000)).id]);
      return body.id as number;
    };
    const [own, checked] = [await batch(), await batch()];
    await payouts.act(own, 'approve', MAKER);
    await payouts.act(checked, 'approve', CHECKER);
    await payouts.setting('payout_checker_from', 1_000);
    expect(refusal(await payouts.act(own, 'export', MAKER))).toEqual(OTHER);
    expect((await payouts.batch(own)).status).toBe('approved');
    expect((await payouts.act(checked, 'export', MAKER)).body.status).toBe('exported');
    await payouts.setting('payout_checker_from', 5_000);
    expect((await payouts.act(own, 'export', MAKER)).body.status).toBe('exported');
  });

  test('below it the maker may approve', async () => {
    const { body } = await payouts.make([(await payouts.withdrawal(4_000)).id]);
    expect((await payouts.act(body.id, 'approve', MAKER)).body.status).toBe('approved');
  });

  test('a single payout of that amount is claimed by one administrator and paid by another', async () => {
    const { id } = await payouts.withdrawal(5_000);
    const message = 'A withdrawal of this amount must be claimed by another administrator first.';
    expect(refusal(await payouts.put(id, 'success', CHECKER))).toEqual([409, message]);
    expect((await payouts.put(id, 'pending', MAKER)).status).toBe(200);
    expect(refusal(await payouts.put(id, 'success', MAKER))).toEqual([409, message]);
    expect((await payouts.put(id, 'success', CHECKER)).body.status).toBe('success');
    expect((await payouts.put((await payouts.withdrawal(4_999)).id, 'success', MAKER)).status).toBe(200);
  });
});

describe('after the export', () => {
  test('the withdrawal has the words of its item, said now or before', async () => {
    const [one, two] = [await payouts.withdrawal(), await payouts.withdrawal()];
    const batch = await payouts.exported([one.id, two.id]);
    const file = (status: string, ref: string, message: string) =>
      ['reference,status,provider_ref,message']
        .concat([one, two].map(({ id }) => `W${id}-${batch},${status},${ref},${message}`))
        .join('\n');
    await payouts.apply(batch, (await payouts.results(batch, file('who knows', 'B-7', 'No answer'))).body.import_id);
    await payouts.apply(batch, (await payouts.results(batch, file('paid', '', ''))).body.import_id);
    const about = async (id: number) => (await payouts.su().get(`/api/admin/withdrawals/${id}`)).body;
    expect(await about(one.id)).toMatchObject({ status: 'success', ref: 'B-7', details: null });
  });

  test('who settles the last payout is named as who changed the batch', async () => {
    const { id } = await payouts.withdrawal();
    const batch = await payouts.exported([id]);
    const { version } = await payouts.batch(batch);
    const [item] = await payouts.items(batch);
    const path = `/api/admin/payout-batches/${batch}`;
    const other = wallet.service.api.as({ kind: 'admin', id: 6, name: 'Efua', level: 'su', tokenId: 6 });
    await other.put(`${path}/items/${item.id}`, { status: 'paid', message: 'by phone' });
    expect((await payouts.act(batch, 'cancel', MAKER, { expected_version: version })).body.message).toBe(
      'This was changed by Efua in the meantime.',
    );
  });
});
