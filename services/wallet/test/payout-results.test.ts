import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { CHECKER, MAKER, payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
});
afterAll(() => wallet.stop());

const breaksOf = async (reference: string) =>
  (await payouts.su().post('/api/admin/breaksall', { filter_value: reference })).body.data;
const news = async (teacher: number) =>
  (await wallet.service.published('money.announced')).filter(({ user_id }) => user_id === teacher);

const LAST_LIVE = `select data from outbox where subject like '%admins%payout%' or name = 'payout.batch' order by id desc limit 1`;

describe('results', () => {
  test('are read without changing anything, and applied once', async () => {
    const all = [
      await payouts.withdrawal(),
      await payouts.withdrawal(),
      await payouts.withdrawal(),
      await payouts.withdrawal(),
    ];
    const [paid, failed, uncertain, silent] = all as [
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
    ];
    const batch = await payouts.exported(all.map(({ id }) => id));
    const file = [
      '\ufeffprovider_ref;STATUS;message;Reference;amount',
      `B-1;Payé;;W${paid.id}-${batch};1 000,00`,
      `;Échoué;Compte clos;W${failed.id}-${batch};1000`,
      `;en cours;;W${uncertain.id}-${batch};`,
      `B-2;paid;;W${silent.id}-${batch};999`,
      `;paid;;W999999-${batch};`,
      ';paid;;;',
    ].join('\r\n');
    const read = await payouts.results(batch, file);
    const [one, two, three, four] = await payouts.items(batch);
    const row = (
      line: number,
      item: { id: number } | undefined,
      verdict: string,
      ref: string | null,
      text: string | null,
    ) => ({
      ...{ line, item_id: item?.id ?? null, verdict, provider_ref: ref, message: text },
    });
    expect([read.status, read.body]).toEqual([
      200,
      {
        import_id: expect.any(Number),
        rows: [
          row(2, one, 'paid', 'B-1', null),
          row(3, two, 'failed', null, 'Compte clos'),
          row(4, three, 'uncertain', null, null),
          row(5, four, 'amount_differs', 'B-2', null),
          row(6, undefined, 'unknown_reference', null, null),
          row(7, undefined, 'unreadable', null, null),
        ],
        counts: {
          ...{
            paid: 1,
            failed: 1,
            uncertain: 1,
            already: 0,
            amount_differs: 1,
            unknown_reference: 1,
            repeated: 0,
            unreadable: 1,
          },
        },
      },
    ]);
    expect((await payouts.batch(batch)).items).toMatchObject({ sent: 4 });
    const apply = () => retryWhile503(() => payouts.apply(batch, read.body.import_id));
    const answers = await Promise.all([1, 2, 3].map(apply));
    answers.push(await apply());
    for (const { body } of answers) expect(body).toEqual({ applied: 3, skipped: 3 });
    expect((await payouts.batch(batch)).items).toMatchObject({ sent: 1, paid: 1, failed: 1, uncertain: 1 });
    expect(await wallet.balance(paid.teacher)).toEqual({ balance: 0, held: 0, available: 0 });
    expect(await wallet.balance(failed.teacher)).toEqual({ balance: 1_000, held: 0, available: 1_000 });
    expect(await wallet.balance(uncertain.teacher)).toEqual({ balance: 1_000, held: 1_000, available: 0 });
    expect((await payouts.su().get(`/api/admin/withdrawals/${paid.id}`)).body).toMatchObject({
      status: 'success',
      ref: 'B-1',
    });
    const shown = (await wallet.service.api.teacher(failed.teacher).get(`/api/withdrawals/${failed.id}`)).body;
    expect(shown).toMatchObject({ status: 'failed', details: 'Compte clos' });
    expect(await news(paid.teacher)).toEqual([
      { user_id: paid.teacher, what: 'payout_paid', amount: 1_000, currency: 'XOF' },
    ]);
    expect(await news(failed.teacher)).toEqual([
      { user_id: failed.teacher, what: 'payout_failed', amount: 1_000, currency: 'XOF', details: 'Compte clos' },
    ]);
    expect(await news(uncertain.teacher)).toEqual([]);
    expect(await breaksOf(`W${silent.id}-${batch}`)).toMatchObject([
      { kind: 'amount', amount_ours: 1_000, amount_theirs: 999 },
    ]);
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  });

  test('that contradict a settled payout are `already` and a break', async () => {
    const { id } = await payouts.withdrawal();
    const batch = await payouts.exported([id]);
    await payouts.report(batch, [[id, 'failed']]);
    expect((await payouts.batch(batch)).status).toBe('closed');
    const { read, applied } = await payouts.report(batch, [[id, 'paid']]);
    expect([read.rows[0].verdict, applied]).toEqual(['already', { applied: 0, skipped: 1 }]);
    expect(await payouts.status(id)).toBe('failed');
    expect(await breaksOf(`W${id}-${batch}`)).toMatchObject([
      { kind: 'status', ours: 'failed', theirs: 'paid', status: 'open' },
    ]);
    const same = await payouts.report(batch, [[id, 'failed']]);
    expect(same.read.rows[0].verdict).toBe('already');
    expect(await breaksOf(`W${id}-${batch}`)).toHaveLength(1);
  });

  test('are refused before the export and for another batch, and too large ones are not read', async () => {
    const { body } = await payouts.make([(await payouts.withdrawal()).id]);
    expect((await payouts.results(body.id, 'reference,status\n')).status).toBe(409);
    expect((await payouts.results(999_999, 'reference,status\n')).status).toBe(404);
    const batch = await payouts.exported([(await payouts.withdrawal()).id]);
    expect((await payouts.results(batch, 'x'.repeat(5 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await payouts.results(batch, 'nothing here')).body.errors).toEqual({
      file: ['The file field must be a table with the columns reference and status.'],
    });
    const { import_id: id } = (await payouts.results(batch, 'reference,status\n')).body;
    expect((await payouts.apply(body.id, id)).status).toBe(404);
  });

  test('two imports that are applied at once settle each payout once', async () => {
    const ids = (await Promise.all(Array.from({ length: 5 }, () => payouts.withdrawal()))).map(({ id }) => id);
    const batch = await payouts.exported(ids);
    const file = ['reference,status', ...ids.map((id) => `W${id}-${batch},paid`)].join('\n');
    const imports = [await payouts.results(batch, file), await payouts.results(batch, file)];
    const applied = await Promise.all(
      imports.map(({ body }) => retryWhile503(() => payouts.apply(batch, body.import_id))),
    );
    expect(applied.reduce((total, { body }) => total + body.applied, 0)).toBe(5);
    expect(await payouts.batch(batch)).toMatchObject({
      status: 'closed',
      items: { paid: 5 },
      closed_at: expect.any(String),
    });
  });
});

describe('an uncertain payout', () => {
  async function uncertain() {
    const made = await payouts.withdrawal();
    const batch = await payouts.exported([made.id]);
    await payouts.report(batch, [[made.id, 'who knows']]);
    const [item] = await payouts.items(batch);
    expect(item.status).toBe('uncertain');
    return { ...made, batch, item };
  }

  test('is paid or released by nothing but the later word of the bank or a person', async () => {
    const { id, teacher, batch, item } = await uncertain();
    for (const status of ['initiated', 'pending', 'success', 'failed', 'canceled'])
      expect((await payouts.put(id, status)).status).toBe(409);
    expect((await payouts.make([id])).status).toBe(409);
    expect((await wallet.service.api.teacher(teacher).post(`/api/withdrawals/${id}/cancel`)).status).toBe(409);
    for (const step of ['approve', 'cancel', 'export'] as const) await payouts.act(batch, step);
    expect((await payouts.su().delete(`/api/admin/payout-batches/${batch}/items/${item.id}`)).status).toBe(409);
    expect((await payouts.settle(batch, item.id, { status: 'returned', message: 'x' })).status).toBe(409);
    const released = await payouts.report(batch, [[id, 'failed']]);
    expect([released.read.rows[0].verdict, released.applied]).toEqual(['uncertain', { applied: 0, skipped: 1 }]);
    expect(await breaksOf(`W${id}-${batch}`)).toMatchObject([{ kind: 'status', ours: 'uncertain', theirs: 'failed' }]);
    expect(await wallet.balance(teacher)).toEqual({ balance: 1_000, held: 1_000, available: 0 });
    expect((await payouts.batch(batch)).status).toBe('exported');
    expect((await payouts.report(batch, [[id, 'paid']])).applied).toEqual({ applied: 1, skipped: 0 });
    expect(await payouts.batch(batch)).toMatchObject({ status: 'closed', items: { paid: 1 } });
  });

  test('two administrators at once settle it once', async () => {
    const { teacher, batch, item } = await uncertain();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        retryWhile503(() =>
          payouts.settle(
            batch,
            item.id,
            { status: index % 2 ? 'paid' : 'failed', message: `call ${index}` },
            800 + index,
          ),
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const [settled] = await payouts.items(batch);
    expect((await wallet.balance(teacher)).balance).toBe(settled.status === 'paid' ? 0 : 1_000);
  });

  test('an import and an administrator at once settle it once', async () => {
    const { id, batch, item } = await uncertain();
    const { body } = await payouts.results(batch, `reference,status\nW${id}-${batch},paid`);
    await Promise.all([
      payouts.settle(batch, item.id, { status: 'failed', message: 'by phone' }),
      payouts.apply(batch, body.import_id),
    ]);
    const [settled] = await payouts.items(batch);
    expect(await payouts.status(id)).toBe(settled.status === 'paid' ? 'success' : 'failed');
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  });
});

describe('PUT items/{item_id}', () => {
  test('settles by hand with a message, names who did it, and repeats harmlessly', async () => {
    const { id, teacher } = await payouts.withdrawal();
    const batch = await payouts.exported([id]);
    const [item] = await payouts.items(batch);
    expect((await payouts.settle(batch, item.id, { status: 'paid' })).body.errors).toEqual({
      message: ['The message field is required.'],
    });
    const said = { status: 'paid', provider_ref: 'B-9', message: 'Confirmed by phone' };
    const settled = await payouts.settle(batch, item.id, said);
    expect(settled.body).toMatchObject({ ...said, settled_by: { id: CHECKER }, settled_at: expect.any(String) });
    expect((await payouts.settle(batch, item.id, said)).body).toEqual(settled.body);
    expect((await payouts.settle(batch, item.id, { status: 'failed', message: 'x' })).status).toBe(409);
    expect((await payouts.batch(batch)).status).toBe('closed');
    expect((await wallet.balance(teacher)).balance).toBe(0);
  });

  test('is not for the maker of a batch that needs another administrator', async () => {
    await payouts.setting('payout_checker_from', 1_000);
    const { id } = await payouts.withdrawal();
    const batch = await payouts.exported([id]);
    await payouts.setting('payout_checker_from', 0);
    const [item] = await payouts.items(batch);
    expect((await payouts.settle(batch, item.id, { status: 'paid', message: 'x' }, MAKER)).body.message).toBe(
      'Another administrator must approve this batch.',
    );
    expect((await payouts.settle(batch, item.id, { status: 'paid', message: 'x' }, CHECKER)).status).toBe(200);
  });

  test('a paid payout comes back by a super administrator alone; the batch stays closed', async () => {
    const { id, teacher } = await payouts.withdrawal();
    const batch = await payouts.exported([id]);
    await payouts.report(batch, [[id, 'paid']]);
    const [item] = await payouts.items(batch);
    const path = `/api/admin/payout-batches/${batch}/items/${item.id}`;
    const back = { status: 'returned', message: 'Account closed' };
    const clerk = wallet.service.api.as({
      kind: 'admin',
      id: 5,
      name: 'C',
      level: 'default',
      tokenId: 5,
      rights: ['approve'],
    });
    expect((await clerk.put(path, back)).status).toBe(403);
    expect((await payouts.su().put(path, back)).body.status).toBe('returned');
    expect(await payouts.batch(batch)).toMatchObject({ status: 'closed', items: { returned: 1 } });
    expect(await wallet.balance(teacher)).toEqual({ balance: 1_000, held: 0, available: 1_000 });
    expect((await payouts.su().get(`/api/admin/withdrawals/${id}`)).body).toMatchObject({
      ...{ status: 'failed', details: 'Account closed' },
    });
    expect((await news(teacher)).at(-1)).toMatchObject({ what: 'payout_returned', details: 'Account closed' });
  });

  test('a withdrawal that is taken out of success by hand is a payout that came back', async () => {
    const { id, teacher } = await payouts.withdrawal();
    const batch = await payouts.exported([id]);
    await payouts.report(batch, [[id, 'paid']]);
    for (const status of ['initiated', 'pending', 'canceled'])
      expect((await payouts.put(id, status)).body.message).toBe(`This withdrawal is in payout batch ${batch}.`);
    expect((await payouts.batch(batch)).items).toMatchObject({ paid: 1, returned: 0 });
    const path = `/api/admin/withdrawals/${id}`;
    expect((await payouts.su().put(path, { status: 'failed', details: 'Account closed' })).status).toBe(200);
    expect((await payouts.batch(batch)).items).toMatchObject({ paid: 0, returned: 1 });
    const [item] = await payouts.items(batch);
    expect(item).toMatchObject({ status: 'returned', message: 'Account closed', settled_by: { id: MAKER } });
    expect((await news(teacher)).at(-1)).toMatchObject({ what: 'payout_returned', details: 'Account closed' });
    const acts = (await wallet.service.published('admin.acted')).filter(
      ({ subject, after }) =>
        subject === `payout_item:${item.id}` && (after as { status: string }).status === 'returned',
    );
    expect(acts).toMatchObject([{ action: 'payout_item.updated', before: { status: 'paid' } }]);
    const [live] = await wallet.service.rows(LAST_LIVE);
    expect(JSON.stringify(live)).toContain('"returned":1');
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  });

  test('is a 404 for an item of another batch', async () => {
    const batch = await payouts.exported([(await payouts.withdrawal()).id]);
    const other = await payouts.exported([(await payouts.withdrawal()).id]);
    const [item] = await payouts.items(batch);
    expect((await payouts.settle(other, item.id, { status: 'paid', message: 'x' })).status).toBe(404);
  });
});
