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
