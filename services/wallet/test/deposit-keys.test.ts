import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDatabaseProxy } from '@tutoring/shared/testing/database-proxy';
import { infra } from '@tutoring/shared/testing/infra';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { startStripe, STRIPE_ENV } from './stripe-stand-in.ts';
import { startWallet, type Wallet } from './wallet.ts';

let stripe: Awaited<ReturnType<typeof startStripe>>;
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let wallet: Wallet;

beforeAll(async () => {
  proxy = await startDatabaseProxy(infra().databaseUrl);
  stripe = await startStripe();
  wallet = await startWallet({ ...STRIPE_ENV, STRIPE_API_URL: stripe.url }, { databaseThrough: proxy.through });
});
afterAll(async () => {
  await wallet.stop();
  await Promise.all([stripe.stop(), proxy.stop()]);
});

/** The requests that the provider received for a deposit, each with its key. */
const requestsFor = (id: number) =>
  stripe.requests.filter(({ form }) => form.get('metadata[deposit_id]') === String(id));

/** A student who sends all deposits with the same Idempotency-Key. */
function depositor() {
  const student = wallet.newUser();
  const headers = { 'idempotency-key': `key-${student}` };
  const api = wallet.service.api.student(student);
  return {
    student,
    post: (amount = 700) => api.post('/api/deposits', { amount }, headers),
    rows: () =>
      wallet.service.rows<{ id: number; status: string }>('select id, status from deposit where user_id = $1', [
        student,
      ]),
    /** As if the first request had crashed half a minute ago. */
    expireClaim: () =>
      wallet.service.rows(
        `update idempotency_key set created_at = created_at - interval '31 seconds' where caller = $1`,
        [`user:${student}`],
      ),
  };
}

describe('a request that crashes after its deposit was recorded', () => {
  test.each([
    ['before the request to the provider', /select_id_name_email_phone_number_status/],
    ['before the response is stored', /update_idempotency_key_set_status/],
  ])('%s: two concurrent retries continue the same deposit', async (_moment, statement) => {
    const { post, rows, expireClaim } = depositor();
    proxy.arm(statement, 'before');
    expect((await post()).status).toBe(503);
    const [first, ...others] = await rows();
    expect([first!.status, others]).toEqual(['initiated', []]);
    expect((await retryWhile503(post)).status).toBe(409);

    await expireClaim();
    const answers = await Promise.all([retryWhile503(post), retryWhile503(post)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await rows()).toEqual([{ id: first!.id, status: 'pending' }]);

    const again = await retryWhile503(post);
    const answer = answers.find(({ status }) => status === 200)!;
    expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', answer.text]);
    expect(again.body).toMatchObject({ id: first!.id, checkout_url: stripe.sessions.get(again.body.ref)!.url });
    expect(new Set(requestsFor(first!.id).map(({ key }) => key)).size).toBe(1);
    expect(
      [...stripe.sessions.values()].filter(({ metadata }) => metadata['deposit_id'] === `${first!.id}`),
    ).toHaveLength(1);
  });

  test('a retry sends the provider the same parameters as the first request, however late', async () => {
    const { student, post, expireClaim } = depositor();
    // The first request is made with a clock that is a minute behind.
    await wallet.service.shiftClock(-60);
    proxy.arm(/update_idempotency_key_set_status/, 'before');
    await post();
    await wallet.service.shiftClock(0);
    await expireClaim();
    const { status, body } = await retryWhile503(post);
    expect(status).toBe(200);
    const [first, ...repeats] = requestsFor(body.id);
    expect(repeats.map(({ form }) => form.toString())).toEqual([first!.form.toString()]);
    const [deposit] = await wallet.service.rows<{ created_at: string }>(
      'select created_at from deposit where user_id = $1',
      [student],
    );
    // Ten minutes before our own limit.
    const end = Math.floor(Date.parse(deposit!.created_at) / 1_000) + 24 * 3_600 - 600;
    expect(first!.form.get('expires_at')).toBe(String(end));
  });

  test('a deposit that the previous release recorded without a key at the provider gets one', async () => {
    const { post, rows, expireClaim } = depositor();
    proxy.arm(/update_idempotency_key_set_status/, 'before');
    await post();
    const { id } = (await rows())[0]!;
    await wallet.service.rows('update deposit set payment_key = null where id = $1', [id]);
    await expireClaim();
    expect((await retryWhile503(post)).body).toMatchObject({ id, status: 'pending' });
    const [{ payment_key: key }] = (await wallet.service.rows('select payment_key from deposit where id = $1', [
      id,
    ])) as [{ payment_key: string }];
    expect(requestsFor(id).map((request) => request.key)).toEqual([expect.not.stringMatching(key), key]);
  });

  test('another body with the same key is refused, whatever the result of the first', async () => {
    const { post, rows, expireClaim } = depositor();
    proxy.arm(/update_idempotency_key_set_status/, 'before');
    await post();
    await expireClaim();
    expect((await retryWhile503(() => post(701))).status).toBe(422);
    expect(await rows()).toHaveLength(1);
  });

  test('a retry returns the current state when the deposit was paid meanwhile', async () => {
    const { student, post, rows, expireClaim } = depositor();
    proxy.arm(/update_idempotency_key_set_status/, 'before');
    await post();
    const id = (await rows())[0]!.id;
    await wallet.service.api.admin('su').put(`/api/admin/deposits/${id}`, { status: 'success' });
    await expireClaim();
    expect((await retryWhile503(post)).body).toMatchObject({ id, status: 'success' });
    expect((await wallet.balance(student)).balance).toBe(700);
  });
});

test('a retry returns the first response byte for byte, even if the minimum has risen since', async () => {
  const { post } = depositor();
  const first = await post();
  await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 9000, version: 2 });
  const again = await post();
  await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 100, version: 3 });
  expect([again.status, again.text]).toEqual([200, first.text]);
});

describe('at most 20 unpaid deposits', () => {
  test('20 of 40 concurrent requests succeed, the others are a 409, and one more succeeds when one is paid', async () => {
    const student = wallet.newUser();
    const api = wallet.service.api.student(student);
    const post = () => retryWhile503(() => api.post('/api/deposits', { amount: 500 }));
    const answers = await Promise.all(Array.from({ length: 40 }, post));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await wallet.service.rows('select from deposit where user_id = $1', [student])).toHaveLength(20);
    expect(answers.find(({ status }) => status === 409)!.body.message).toBe(
      'There are 20 unpaid deposits already. Pay one of them first.',
    );
    const { id } = answers.find(({ status }) => status === 200)!.body;
    await wallet.service.api.admin('su').put(`/api/admin/deposits/${id}`, { status: 'success' });
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(409);
  });
});
