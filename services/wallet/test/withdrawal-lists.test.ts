import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;

beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

describe('the claimer of a withdrawal', () => {
  const decide = (id: number, status: string, admin: number) =>
    wallet.service.api.admin('su', admin).put(`/api/admin/withdrawals/${id}`, { status });
  const shown = async (id: number) => (await wallet.service.api.admin().get(`/api/admin/withdrawals/${id}`)).body;
  const listed = async (user: number) =>
    (await wallet.service.api.admin().post('/api/admin/withdrawalsall', { user_id: user })).body.data;

  test('is null until an administrator moves it to pending, then the last one who did', async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    expect(await shown(id)).toMatchObject({ claimed_by: null, claimed_at: null });
    expect((await decide(id, 'failed', 901)).body).toMatchObject({ claimed_by: null, claimed_at: null });
    const first = (await decide(id, 'pending', 902)).body;
    expect(first).toMatchObject({ claimed_by: { id: 902, name: 'Ada Min' }, claimed_at: expect.any(String) });
    for (const status of ['pending', 'success', 'initiated'])
      expect((await decide(id, status, 903)).body).toMatchObject({
        claimed_by: first.claimed_by,
        claimed_at: first.claimed_at,
      });
    const second = (await decide(id, 'pending', 903)).body;
    expect(second.claimed_by).toEqual({ id: 903, name: 'Ada Min' });
    expect(second.claimed_at > first.claimed_at).toBe(true);
    await wallet.tellUser(teacher, { platform: 'teacher' });
    const [row] = await listed(teacher);
    const { user } = row;
    expect([await shown(id), row]).toEqual([
      { ...second, user },
      { ...second, user },
    ]);
  });

  test('is shown only to administrators', async () => {
    const teacher = await wallet.teacherWith(1000);
    const created = (await wallet.withdraw(teacher, 1000)).body;
    await decide(created.id, 'pending', 902);
    const own = wallet.service.api.teacher(teacher);
    const keys = Object.keys(created);
    expect(keys).not.toContain('claimed_by');
    const [one, [row]] = [
      (await own.get(`/api/withdrawals/${created.id}`)).body,
      (await own.get('/api/withdrawals')).body,
    ];
    expect([Object.keys(one), Object.keys(row)]).toEqual([keys, keys]);
    const canceled = (await wallet.withdraw(await wallet.teacherWith(1000), 1000)).body;
    const owner = wallet.service.api.teacher(canceled.user_id);
    expect(Object.keys((await owner.post(`/api/withdrawals/${canceled.id}/cancel`)).body)).toEqual(keys);
    const events = await wallet.service.published('withdrawal.changed');
    expect(events.filter((event) => 'claimed_by' in event || 'claimer_id' in event)).toEqual([]);
  });
});

describe('the decider of a withdrawal', () => {
  const decide = async (id: number, status: string, admin: number, details?: string) =>
    (await wallet.service.api.admin('su', admin).put(`/api/admin/withdrawals/${id}`, { status, details })).body;
  const [A, B] = [911, 912];
  const NOBODY = { decided_by: null, decided_at: null };
  const of = (admin: number) => ({ decided_by: { id: admin, name: 'Ada Min' }, decided_at: expect.any(String) });

  test('is the administrator who paid it, not the claimer, in the list and in the record', async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    expect(await decide(id, 'pending', A)).toMatchObject(NOBODY);
    const paid = await decide(id, 'success', B);
    expect(paid).toMatchObject({ ...of(B), claimed_by: { id: A } });
    expect(paid.decided_at > paid.claimed_at).toBe(true);
    const edited = await decide(id, 'success', A, 'a better word');
    expect(edited).toMatchObject({ details: 'a better word', decided_by: { id: B }, decided_at: paid.decided_at });
    await wallet.tellUser(teacher, { platform: 'teacher', name: 'T', email: 't@example.com', phone_number: '' });
    const { api } = wallet.service;
    const [row] = (await api.admin().post('/api/admin/withdrawalsall', { user_id: teacher })).body.data;
    for (const shown of [row, (await api.admin().get(`/api/admin/withdrawals/${id}`)).body])
      expect(shown).toMatchObject({ decided_by: { id: B }, decided_at: paid.decided_at });
  });

  test.each([
    ['failed', 'failed'],
    ['canceled', 'canceled'],
    ['paid without a claim', 'success'],
  ])('is the administrator who ended it: %s', async (_what, status) => {
    const { id } = (await wallet.withdraw(await wallet.teacherWith(1000), 1000)).body;
    expect(await decide(id, status, A)).toMatchObject({ ...of(A), claimed_by: null });
  });

  test('is null while it is open again, and then the administrator who decides next', async () => {
    const { id } = (await wallet.withdraw(await wallet.teacherWith(1000), 1000)).body;
    await decide(id, 'success', A);
    expect(await decide(id, 'pending', B)).toMatchObject({ ...NOBODY, claimed_by: { id: B } });
    expect(await decide(id, 'failed', B)).toMatchObject(of(B));
    expect(await decide(id, 'initiated', A)).toMatchObject(NOBODY);
  });

  test('is null when its owner canceled it, and is shown only to administrators', async () => {
    const teacher = await wallet.teacherWith(1000);
    const { id } = (await wallet.withdraw(teacher, 1000)).body;
    const own = await wallet.service.api.teacher(teacher).post(`/api/withdrawals/${id}/cancel`);
    expect(Object.keys(own.body).filter((key) => key.startsWith('decide'))).toEqual([]);
    expect((await wallet.service.api.admin().get(`/api/admin/withdrawals/${id}`)).body).toMatchObject(NOBODY);
    const events = await wallet.service.published('withdrawal.changed');
    expect(events.filter((event) => 'decided_by' in event || 'decider_id' in event)).toEqual([]);
  });
});

describe('the filter claimed_by', () => {
  const all = async (admin: number, body: object) =>
    (await wallet.service.api.admin('default', admin).post('/api/admin/withdrawalsall', { pageItems: 100, ...body }))
      .body;
  const ids = async (admin: number, body: object) => (await all(admin, body)).data.map((row: { id: number }) => row.id);
  const [A, B] = [921, 922];
  let own: number[];
  let other: number;

  beforeAll(async () => {
    const made: number[] = [];
    for (let index = 0; index < 4; index += 1)
      made.push((await wallet.withdraw(await wallet.teacherWith(1000), 1000)).body.id);
    own = made.slice(0, 2);
    other = made[2]!;
    for (const [index, id] of made.slice(0, 3).entries())
      await wallet.service.api
        .admin('default', index < 2 ? A : B)
        .put(`/api/admin/withdrawals/${id}`, { status: 'pending' });
  });

  test.each([
    ['me', A],
    [A, B],
    [String(A), B],
  ])('%s lists the withdrawals that this administrator has claimed, in both orders', async (claimed_by, asks) => {
    expect(await ids(asks, { claimed_by, status: 'pending' })).toEqual([...own].reverse());
    expect(await ids(asks, { claimed_by, order: 'asc' })).toEqual(own);
    expect(await ids(asks, { claimed_by, status: 'success' })).toEqual([]);
  });

  test('works with a search, and is empty for an administrator without claims', async () => {
    expect(await ids(B, { claimed_by: 'me', filter_value: String(other) })).toEqual([other]);
    expect(await ids(B, { claimed_by: 'me', filter_value: String(own[0]) })).toEqual([]);
    expect((await all(A, { claimed_by: 4_242 })).total).toBe(0);
  });

  test.each(['you', 0, -1, 1.5, true, [A], 'me ,'])('%j is a 422', async (claimed_by) => {
    const answer = await wallet.service.api.admin().post('/api/admin/withdrawalsall', { claimed_by });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['claimed_by']]);
  });
});

describe('filter_value', () => {
  const found = async (filter_value: string, body: object = {}) => {
    const answer = await wallet.service.api.admin().post('/api/admin/withdrawalsall', { filter_value, ...body });
    return answer.body as { total: number; data: { id: number; account: string | null }[] };
  };
  const ask = async (account: string, method = 'bank') => {
    const teacher = await wallet.teacherWith(1000);
    const api = wallet.service.api.teacher(teacher);
    const { id } = (await api.post('/api/withdrawals', { amount: 1000, method, account })).body;
    return { id: id as number, teacher };
  };

  test.each([
    ['as it was entered', 'FR76 3000-6000 0112', 'FR76 3000-6000 0112'],
    ['without blanks and in another case', 'GB29 NWBK 6016 1331', 'gb29nwbk60161331'],
    ['with other blanks', '+228 90 44 55 66', '9044 5566'],
    ['by its last digits', '+221 77 123 98 41', '1239841'],
    ['by three characters', 'Wave xq9', 'xq9'],
  ])('finds a withdrawal by its payout account, %s', async (_how, account, searched) => {
    const { id } = await ask(account);
    expect((await found(searched)).data.map((row) => row.id)).toEqual([id]);
    expect((await found(searched, { status: 'success' })).total).toBe(0);
  });

  test.each(['%', '--', ' - ', '_'])('%j finds no account', async (searched) => {
    expect((await found(searched)).data).toEqual([]);
  });

  test('puts the withdrawal with exactly that id first, on every page and in both orders', async () => {
    const { id } = await ask('old');
    const holders: number[] = [];
    for (let index = 0; index < 5; index += 1) holders.push((await ask('other', `by ${id}`)).id);
    const pages = async (order: 'asc' | 'desc', pageItems: number) => {
      const seen: number[][] = [];
      for (let page = 1; page <= Math.ceil(6 / pageItems); page += 1) {
        const { total, data } = await found(String(id), { order, pageItems, page });
        expect(total).toBe(6);
        seen.push(data.map((row) => row.id));
      }
      return seen;
    };
    const newest = [...holders].reverse();
    for (const size of [1, 2, 4, 6]) {
      const chunks = (all: number[]) =>
        Array.from({ length: Math.ceil(6 / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
      expect(await pages('desc', size)).toEqual(chunks([id, ...newest]));
      expect(await pages('asc', size)).toEqual(chunks([id, ...holders]));
    }
    expect((await found(String(id), { status: 'success' })).total).toBe(0);
  });

  test('does not find an erased account', async () => {
    const { teacher } = await ask('ERASED-77');
    await wallet.tellUser(teacher, { platform: 'teacher', deleted: true });
    expect((await found('erased77')).total).toBe(0);
  });
});
