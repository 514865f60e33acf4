import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const create = async (student: number, amount = 500): Promise<number> =>
  (await wallet.service.api.student(student).post('/api/deposits', { amount })).body.id;
const status = async (id: number) => (await wallet.service.api.admin().get(`/api/admin/deposits/${id}`)).body.status;
const put = (id: number, body: Record<string, unknown>) =>
  wallet.service.api.admin('su').put(`/api/admin/deposits/${id}`, body);
const transfers = (id: number) =>
  wallet.service.rows<{ kind: string; reference: string }>(
    `select kind, reference from transfer where deposit_id = $1 order by id`,
    [id],
  );

describe('POST api/deposits', () => {
  test.each([
    ['no amount', {}, 'The amount field is required.'],
    ['zero', { amount: 0 }, 'The amount field must be at least 1.'],
    ['a negative amount', { amount: -5 }, 'The amount field must be at least 1.'],
    ['a fraction', { amount: 10.5 }, 'The amount field must be an integer.'],
    ['scientific notation', { amount: '1e3' }, 'The amount field must be an integer.'],
    ['NaN', { amount: 'NaN' }, 'The amount field must be an integer.'],
    ['unicode digits', { amount: '١٠٠٠' }, 'The amount field must be an integer.'],
    ['a boolean', { amount: true }, 'The amount field must be an integer.'],
    ['a list', { amount: [1000] }, 'The amount field must be an integer.'],
    ['more than the maximum', { amount: 1_000_000_001 }, 'The amount field must not be greater than 1000000000.'],
    ['more than a number holds', { amount: '99999999999999999999' }, 'The amount field must be an integer.'],
    ['less than min_deposit', { amount: 99 }, 'The amount field must be at least 100.'],
    ['a method that is a number', { amount: 500, method: 7 }, 'The method field must be a string.'],
  ])('422 for %s', async (_name, body, message) => {
    const answer = await wallet.service.api.student(1).post('/api/deposits', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('an amount may be a string of digits', async () => {
    const answer = await wallet.service.api.student(wallet.newUser()).post('/api/deposits', { amount: '100' });
    expect([answer.status, answer.body.amount]).toEqual([200, 100]);
  });

  test.each([
    ['an anonymous caller', 401, () => wallet.service.api.anonymous],
    ['a teacher', 403, () => wallet.service.api.teacher(2)],
    ['an administrator', 403, () => wallet.service.api.admin('su')],
  ])('%s gets a %d', async (_name, expected, api) => {
    expect((await api().post('/api/deposits', { amount: 500 })).status).toBe(expected);
  });

  test('a changed min_deposit takes effect at once', async () => {
    await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 200, version: 2 });
    await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 50, version: 1 });
    const answer = await wallet.service.api.student(1).post('/api/deposits', { amount: 150 });
    expect(answer.body.message).toBe('The amount field must be at least 200.');
    await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 100, version: 3 });
  });

  test('a repeated key returns the same response for the same body and refuses another body', async () => {
    const student = wallet.newUser();
    const api = wallet.service.api.student(student);
    const key = { 'idempotency-key': 'k1' };
    const first = await api.post('/api/deposits', { amount: 700 }, key);
    const again = await api.post('/api/deposits', { amount: 700 }, key);
    const other = await api.post('/api/deposits', { amount: 701 }, key);
    expect(again.body).toEqual(first.body);
    expect([again.headers.get('idempotent-replayed'), other.status]).toEqual(['true', 422]);
    expect((await api.get('/api/deposits')).body).toHaveLength(1);
  });

  test('the key of a crashed request can be used again after 30 seconds', async () => {
    const student = wallet.newUser();
    const key = { 'idempotency-key': 'dead' };
    const claim = (age: number) =>
      wallet.service.rows(
        `insert into idempotency_key (caller, scope, key, fingerprint, created_at)
         values ($1, 'POST /api/deposits', 'dead', encode(sha256('{"amount":700}'), 'hex'), clock_timestamp() - make_interval(secs => $2))
         on conflict (caller, scope, key) do update set created_at = excluded.created_at`,
        [`user:${student}`, age],
      );
    const post = () => wallet.service.api.student(student).post('/api/deposits', { amount: 700 }, key);
    await claim(5);
    expect((await post()).status).toBe(409);
    await claim(31);
    expect((await post()).status).toBe(200);
  });
});

describe('the sandbox webhook', () => {
  test('a wrong, missing, malformed or stale signature is a 400 and changes nothing', async () => {
    const id = await create(wallet.newUser());
    const body = { id: 'forged', type: 'deposit.succeeded', deposit_id: id };
    const now = Date.now();
    const answers = await Promise.all([
      wallet.webhook(body, { secret: 'another-secret-of-the-tests' }),
      wallet.webhook(body, { at: now - 305_000 }),
      wallet.webhook(body, { at: now + 305_000 }),
      wallet.service.api.anonymous.post('/api/webhooks/payments/sandbox', JSON.stringify(body)),
      wallet.service.api.anonymous.post('/api/webhooks/payments/sandbox', JSON.stringify(body), {
        'x-signature': 't=1',
      }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400]);
    expect(await status(id)).toBe('pending');
  });

  test('a signature is valid for 300 whole seconds', async () => {
    const body = { id: 'border', type: 'deposit.succeeded', deposit_id: 999_999 };
    const answer = await eventually('an answer in the second of its request', async () => {
      const at = Date.now();
      if (at % 1_000 < 100) return undefined;
      const answered = await wallet.webhook(body, { at: at - 300_000 });
      return Math.floor(Date.now() / 1_000) === Math.floor(at / 1_000) && answered;
    });
    expect(answer.status).toBe(200);
  });

  test('a signed body that is not an event is a 400; an unknown type or deposit is accepted', async () => {
    expect((await wallet.webhook({ nothing: true })).status).toBe(400);
    const unknownType = await wallet.webhook({ id: 'x1', type: 'deposit.disputed', deposit_id: 1 });
    const unknownDeposit = await wallet.webhook({ id: 'x2', type: 'deposit.succeeded', deposit_id: 999_999 });
    for (const answer of [unknownType, unknownDeposit])
      expect([answer.status, answer.body]).toEqual([200, { received: true }]);
  });

  test.each([
    ['a NUL in its id', { id: 'x\u0000', type: 'deposit.succeeded' }],
    ['half a character in its id', { id: 'x\ud800', type: 'deposit.succeeded' }],
    ['a NUL in its type', { id: 'x3', type: 'deposit.succeeded\u0000' }],
  ])('a signed event with %s is a 400', async (_what, event) => {
    const answer = await wallet.webhook({ ...event, deposit_id: await create(wallet.newUser()) });
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed']);
  });

  test('the type "constructor" is an unknown type', async () => {
    const id = await create(wallet.newUser());
    const answer = await wallet.webhook({ id: 'x4', type: 'constructor', deposit_id: id });
    expect([answer.status, await status(id)]).toEqual([200, 'pending']);
  });

  test('an unknown provider is a 404', async () => {
    expect((await wallet.service.api.anonymous.post('/api/webhooks/payments/paypal', '{}')).status).toBe(404);
  });

  test('20 concurrent deliveries of an event credit the deposit once', async () => {
    const student = wallet.newUser();
    const id = await create(student);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => retryWhile503(() => wallet.provider(id, 'succeeded', `once-${id}`))),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(await wallet.balance(student)).toEqual({ balance: 500, held: 0, available: 500 });
  });

  test('a duplicate event has no effect, whatever happened since', async () => {
    const id = await create(wallet.newUser());
    await wallet.provider(id, 'failed', `twice-${id}`);
    await put(id, { status: 'pending' });
    await wallet.provider(id, 'failed', `twice-${id}`);
    expect(await status(id)).toBe('pending');
  });

  test.each([
    ['failed, then a late succeeded', ['failed', 'succeeded'], 'success', 500],
    ['canceled, then a late succeeded', ['canceled', 'succeeded'], 'success', 500],
    ['succeeded, then failed', ['succeeded', 'failed'], 'success', 500],
    ['two succeeded', ['succeeded', 'succeeded'], 'success', 500],
    ['failed, then canceled', ['failed', 'canceled'], 'failed', 0],
  ] as const)('the events %s lead to the right status and balance', async (_name, events, end, balance) => {
    const student = wallet.newUser();
    const id = await create(student);
    for (const event of events) await wallet.provider(id, event);
    expect(await status(id)).toBe(end);
    expect((await wallet.balance(student)).balance).toBe(balance);
  });
});

describe('PUT api/admin/deposits/{id}', () => {
  test('every move into success credits and every move out of it reverses, under its own reference', async () => {
    const student = wallet.newUser();
    const id = await create(student);
    for (const to of ['success', 'canceled', 'success', 'initiated', 'pending', 'failed']) {
      const answer = await put(id, { status: to });
      expect([answer.status, answer.body.status]).toEqual([200, to]);
      expect((await wallet.balance(student)).balance).toBe(to === 'success' ? 500 : 0);
    }
    expect(await transfers(id)).toEqual([
      { kind: 'deposit', reference: `deposit:${id}:1` },
      { kind: 'deposit_reversal', reference: `deposit:${id}:1` },
      { kind: 'deposit', reference: `deposit:${id}:2` },
      { kind: 'deposit_reversal', reference: `deposit:${id}:2` },
    ]);
  });

  test('a reversal is a 409 and changes nothing when the money is no longer available', async () => {
    const student = wallet.newUser();
    const id = await wallet.topUp(student, 500);
    await wallet.hold(`gone${id}`, student, 1);
    const answer = await put(id, { status: 'failed' });
    expect([answer.status, answer.body.message]).toEqual([409, 'The money is no longer there.']);
    expect([await status(id), await transfers(id)]).toEqual([
      'success',
      [{ kind: 'deposit', reference: `deposit:${id}:1` }],
    ]);
  });

  test("after an administrator's reversal the provider cannot pay the deposit a second time", async () => {
    const student = wallet.newUser();
    const id = await wallet.topUp(student, 500);
    await put(id, { status: 'failed' });
    await wallet.provider(id, 'succeeded');
    expect([await status(id), (await wallet.balance(student)).balance]).toEqual(['failed', 0]);
  });

  test('repeating the current status changes nothing, not even the version', async () => {
    const id = await create(wallet.newUser());
    const first = await put(id, { status: 'pending', details: 'seen', ref: 'R-1' });
    const acts = (await wallet.service.published('admin.acted')).length;
    const again = await put(id, { status: 'pending', details: 'seen' });
    expect(again.body).toEqual(first.body);
    expect(await wallet.service.published('admin.acted')).toHaveLength(acts);
  });

  test('a decision is a 409 when the deposit no longer has the expected status', async () => {
    const id = await create(wallet.newUser());
    const late = await put(id, { status: 'failed', expected_status: 'success' });
    expect([late.status, late.body.message]).toEqual([409, 'The status is pending by now. Nothing was changed.']);
    expect((await put(id, { status: 'failed', expected_status: 'pending' })).body.status).toBe('failed');
  });

  test('concurrent decisions of super administrators credit the deposit once', async () => {
    const student = wallet.newUser();
    const id = await create(student);
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(id, { status: 'success' })));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect((await wallet.balance(student)).balance).toBe(500);
  });

  test.each([
    ['an unknown status', { status: 'paid' }, 422, 'The selected status is invalid.'],
    ['no status', {}, 422, 'The status field is required.'],
  ])('a decision with %s is refused', async (_name, body, code, message) => {
    const answer = await put(await create(wallet.newUser()), body);
    expect([answer.status, answer.body.message]).toEqual([code, message]);
  });

  test('only a super administrator may decide, and an unknown or malformed id is a 404', async () => {
    const id = await create(wallet.newUser());
    const path = `/api/admin/deposits/${id}`;
    expect((await wallet.service.api.admin().put(path, { status: 'success' })).status).toBe(403);
    for (const unknown of ['999999', 'abc', '1.5', '99999999999999999999', '-1'])
      expect((await put(unknown as unknown as number, { status: 'success' })).status).toBe(404);
  });
});

test("GET api/deposits lists the own deposits, newest first, by cursor; another user's deposit is a 404", async () => {
  const student = wallet.newUser();
  const ids = [await create(student), await create(student), await create(student)].reverse();
  const api = wallet.service.api.student(student);
  const list = async (query: string) =>
    (await api.get(`/api/deposits${query}`)).body.map((deposit: { id: number }) => deposit.id);
  expect(await list('')).toEqual(ids);
  expect(await list(`?before=${ids[0]}&limit=1`)).toEqual([ids[1]]);
  expect((await api.get(`/api/deposits/${ids[0]}`)).body).not.toHaveProperty('checkout_url');
  expect((await wallet.service.api.student(wallet.newUser()).get(`/api/deposits/${ids[0]}`)).status).toBe(404);
  expect((await api.get('/api/deposits?limit=0')).status).toBe(422);
});

test('a deposit unpaid for 24 hours is canceled, but not a paid one that was reopened, and a late payment still credits', async () => {
  const student = wallet.newUser();
  const id = await create(student);
  const paid = await wallet.topUp(student, 300);
  const reopened = await wallet.topUp(student, 200);
  await put(reopened, { status: 'pending' });
  await wallet.service.runJob('cancel-unpaid-deposits');
  expect(await status(id)).toBe('pending');
  await wallet.service.shiftClock(24 * 3600 + 1);
  await wallet.service.runJob('cancel-unpaid-deposits');
  await wallet.service.shiftClock(0);
  const canceled = (await wallet.service.api.admin().get(`/api/admin/deposits/${id}`)).body;
  expect(canceled).toMatchObject({ status: 'canceled', details: 'Not paid within 24 hours.' });
  expect([await status(paid), await status(reopened)]).toEqual(['success', 'pending']);
  await wallet.provider(id, 'succeeded');
  expect((await wallet.balance(student)).balance).toBe(800);
});
