import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCountCache } from '@tutoring/shared/kit/database/counts';
import type { EventData } from '@tutoring/shared/contract/events';
import { eventually } from '@tutoring/shared/testing/wait';
import { patternsOf } from '../src/teachers/teacher.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
type User = Awaited<ReturnType<TestIdentity['user']>>;
let student: User;
let eric: User;
let maria: User;
let banned: User;
beforeAll(async () => {
  service = await startIdentity();
  student = await service.user({ name: 'Éric Student' });
  eric = await service.user({
    platform: 'teacher',
    name: 'Éric Kouamé',
    bio: 'Prépare au bac',
    domains: [1, 2],
    plan: 1,
    city: 'Abidjan',
    address: 'Rue 1',
  });
  maria = await service.user({
    platform: 'teacher',
    name: "María O'Neil",
    bio: 'Conversation',
    domains: [8],
    plan: 2,
    experience: 3,
  });
  banned = await service.user({ platform: 'teacher', name: 'Eric Banned', plan: 1 });
  await (await service.su()).api.put(`/api/admin/users/${banned.id}`, { status: 'banned' });
});
afterAll(() => service.end());

const search = (query: string) => student.api.get(`/api/teachers${query}`);
const ids = async (query: string) => (await search(query)).body.data.map((teacher: { id: number }) => teacher.id);

describe('GET api/teachers', () => {
  test('the list has public profiles, newest first, without e-mail, phone number and address', async () => {
    const answer = await search('');
    expect(answer.body).toMatchObject({
      total: 2,
      per_page: 15,
      path: 'http://public.test/api/teachers',
      last_page: 1,
    });
    expect(answer.body.data[1]).toEqual({
      id: eric.id,
      name: 'Éric Kouamé',
      domains: 'Mathematics, Physics',
      experience: 0,
      availability: '',
      bio: 'Prépare au bac',
      photo: 'http://public.test/api/assets/avatar.png',
      about_me: '',
      city: 'Abidjan',
      country: '',
      verified: '0',
      plan_id: 1,
      transactions_count: 0,
      rating: '',
      reviews_count: 0,
      favourite: false,
      online: false,
    });
  });

  test.each<[string, () => number[]]>([
    ['?q=eric', () => [eric.id]],
    ['?q=KOUAME', () => [eric.id]],
    ['?q=prepare', () => [eric.id]],
    ['?q=math%20eric', () => [eric.id]],
    ['?q=math%20maria', () => []],
    ['?q=spanish', () => [maria.id]],
    ['?q=o%27neil', () => [maria.id]],
    ['?q=er', () => [eric.id]],
    ['?q=ri', () => []],
    ['?q=ouam', () => [eric.id]],
    ['?q=%25_', () => []],
    ['?q=%20', () => [maria.id, eric.id]],
    ['?q=er%25', () => [eric.id]],
    ['?skill_id=2', () => [eric.id]],
    ['?skill_id=999', () => []],
    ['?plan_id=2', () => [maria.id]],
    ['?plan_id=2&skill_id=1', () => []],
    ['?pageItems=1&page=2', () => [eric.id]],
    ['?page=9', () => []],
    ['?online=0', () => [maria.id, eric.id]],
  ])('the query "%s" finds the matching teachers', async (query, expected) => {
    expect(await ids(query)).toEqual(expected());
  });

  test('links to other pages contain the filter', async () => {
    const { body } = await search('?pageItems=1&q=a&plan_id=1');
    expect(body.first_page_url).toBe('http://public.test/api/teachers?q=a&plan_id=1&pageItems=1&page=1');
  });

  test('invalid filters are a 422, anonymous callers a 401, administrators a 403', async () => {
    const answer = await search('?skill_id=x&online=maybe&pageItems=0');
    expect(answer.body.errors).toEqual({
      skill_id: ['The skill id field must be an integer.'],
      online: ['The online field must be true or false.'],
      pageItems: ['The page items field must be at least 1.'],
    });
    expect((await service.api.anonymous.get('/api/teachers')).status).toBe(401);
    expect((await service.api.admin().get('/api/teachers')).status).toBe(403);
  });

  test('teachers who used a token within ten minutes are online', async () => {
    const second = await service.login(maria.email);
    await Promise.all([maria.token, second.body.token as string].map(service.verifyToken));
    await service.runJob('token-uses');
    expect(await ids('?online=1')).toEqual([maria.id]);
    expect((await search('?online=true')).body.data[0].online).toBe(true);
    await service.shiftClock(601);
    expect((await search('?online=1')).body.total).toBe(0);
    await service.shiftClock(0);
  });

  test('the total is exact after a registration, a change of name and a ban', async () => {
    const total = async (query: string) => (await search(query)).body.total as number;
    const su = await service.su();
    const [all, named] = [await total(''), await total('?q=zanzibar')];
    const added = await service.user({ platform: 'teacher', name: 'Someone', plan: 1 });
    expect([await total(''), await total('?q=zanzibar')]).toEqual([all + 1, named]);
    await added.api.put('/api/me', { name: 'Zanzibar' });
    expect(await total('?q=zanzibar')).toBe(named + 1);
    await su.api.put(`/api/admin/users/${added.id}`, { status: 'banned' });
    expect([await total(''), await total('?q=zanzibar')]).toEqual([all, named]);
  });

  test('require_verified_teacher lists only verified teachers', async () => {
    const su = await service.su();
    const settings = await su.api.post('/api/admin/settingsall', { filter_value: 'require_verified' });
    const { id } = settings.body.data[0];
    await su.api.put(`/api/admin/users/${maria.id}`, { verified: true });
    await su.api.put(`/api/admin/settings/${id}`, { value: 1 });
    expect(await ids('')).toEqual([maria.id]);
    expect((await search('')).body.total).toBe(1);
    expect((await student.api.get(`/api/teachers/${eric.id}`)).status).toBe(404);
    await su.api.put(`/api/admin/settings/${id}`, { value: 0 });
    expect((await search('')).body.total).toBe(2);
    expect((await student.api.get(`/api/teachers/${maria.id}`)).body.verified).toBe('1');
  });

  test('a renamed skill is found by its new name, and `user.changed` is published for its teachers', async () => {
    const su = await service.su();
    await su.api.put('/api/admin/skills/8', { name: 'Castellano' });
    await eventually('the new name is found', async () => (await ids('?q=castellano')).length > 0);
    expect([await ids('?q=castellano'), await ids('?q=spanish')]).toEqual([[maria.id], []]);
    const events = (await service.published('user.changed')).filter((event) => event.id === maria.id);
    expect(events.at(-1)!.domains).toEqual(['Castellano']);
  });
});

describe('GET api/teachers/{id}', () => {
  const call = (changes: Partial<EventData<'call.changed'>>): EventData<'call.changed'> => ({
    identifier: 'c1',
    state: 'active',
    call_type: 'video',
    ring_expires_at: '2026-01-01T00:00:45Z',
    channel: 'x',
    student_id: student.id,
    teacher_id: eric.id,
    steps: 0,
    total_cost: 0,
    total_duration: null,
    created_at: 'x',
    accepted_at: 'x',
    ended_at: null,
    version: 2,
    ...changes,
  });

  test('accepted calls are counted once each', async () => {
    await service.receive('call.changed', call({}));
    await service.receive('call.changed', call({ state: 'ended', ended_at: 'x', version: 3 }));
    await service.receive('call.changed', call({ identifier: 'c2', state: 'missed', accepted_at: null, version: 1 }));
    const answer = await student.api.get(`/api/teachers/${eric.id}`);
    expect(answer.body).toMatchObject({ id: eric.id, transactions_count: 1 });
    expect(Object.keys(answer.body)).not.toEqual(expect.arrayContaining(['email', 'phone_number', 'address']));
  });

  test('calls received together are counted by one statement per transaction', async () => {
    const countOf = async (id: number) => (await student.api.get(`/api/teachers/${id}`)).body.transactions_count;
    const before = await countOf(eric.id);
    await service.asOwner(`
      create table counts (noted boolean);
      grant insert on counts to public;
      create function note_count() returns trigger language plpgsql as
        $$ begin insert into counts values (true); return null; end $$;
      create trigger noted after insert on accepted_call for each statement execute function note_count()`);
    const calls = Array.from({ length: 40 }, (_none, index) =>
      call({ identifier: `many ${index}`, teacher_id: index % 2 === 0 ? eric.id : maria.id }),
    );
    const again = calls.map((one) => ({ ...one, state: 'ended' as const, ended_at: 'x', version: 3 }));
    const ids = await service.receiveTogether('call.changed', [...calls, ...again]);
    const consumed = () =>
      service.rows<{ transaction: string }>('select xmin::text as transaction from inbox where event_id = any($1)', [
        ids,
      ]);
    await eventually('all events are consumed', async () => (await consumed()).length === ids.length);
    expect([await countOf(eric.id), await countOf(maria.id)]).toEqual([before + 20, 20]);
    const transactions = new Set((await consumed()).map(({ transaction }) => transaction));
    const statements = await service.asOwner('select from counts');
    expect(statements.length).toBeLessThanOrEqual(transactions.size);
  });

  test('ids of students and banned teachers and unknown and malformed ids are a 404', async () => {
    for (const id of [student.id, banned.id, 999_999, 'abc', '99999999999999999999'])
      expect((await student.api.get(`/api/teachers/${id}`)).status).toBe(404);
  });
});

describe('rules', () => {
  test('every word becomes one pattern that a trigram index can use', () => {
    expect(patternsOf('jo dupont jo')).toEqual(['% jo%', '%dupont%']);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/)), (words) => {
        const patterns = patternsOf(words.join(' '));
        expect(patterns).toHaveLength(new Set(words).size);
        for (const pattern of patterns) expect(pattern).toMatch(/^%( [a-z0-9]{1,2}|[a-z0-9]{3,})%$/);
      }),
    );
  });

  test('a cached count is used while the version is the same; above 100,000 it may be a minute old', async () => {
    const countOf = createCountCache();
    const totalOf = async (...given: Parameters<typeof countOf>) => (await countOf(...given)).total;
    const counts: number[] = [];
    const count = (total: number, version: number) => () => {
      counts.push(total);
      return Promise.resolve({ total, version });
    };
    expect(await totalOf('a', count(5, 1), 1, 0)).toBe(5);
    expect(await totalOf('a', count(6, 1), 1, 1)).toBe(5);
    expect(await totalOf('a', count(7, 2), 2, 2)).toBe(7);
    expect(await totalOf('b', count(200_000, 1), 1, 0)).toBe(200_000);
    expect(await totalOf('b', count(200_001, 2), 2, 59_999)).toBe(200_000);
    expect(await totalOf('b', count(200_001, 2), 2, 60_000)).toBe(200_001);
    expect(counts).toEqual([5, 7, 200_000, 200_001]);
  });
});
