import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
type User = Awaited<ReturnType<TestIdentity['user']>>;
let teachers: User[];
beforeAll(async () => {
  service = await startIdentity();
  const names = ['Kossi', 'Maria', 'Yao'];
  teachers = await Promise.all(names.map((name) => service.user({ platform: 'teacher', name })));
});
afterAll(() => service.end());

const favouritesOf = async (student: User, query = '') =>
  (await student.api.get(`/api/favourites${query}`)).body.map(({ id }: { id: number }) => id) as number[];
const mark = (student: User, id: unknown) => student.api.put(`/api/favourites/${String(id)}`, {});
const unmark = (student: User, id: unknown) => student.api.delete(`/api/favourites/${String(id)}`);

/** A student with all teachers as favourites, the last teacher the newest. */
async function admirer() {
  const student = await service.user();
  for (const { id } of teachers) await mark(student, id);
  return student;
}

test('PUT marks and returns a teacher, GET lists the newest first, DELETE unmarks; all are idempotent', async () => {
  const student = await service.user();
  const [kossi, maria] = teachers as [User, User];
  expect(await favouritesOf(student)).toEqual([]);
  for (const { id } of [kossi, maria, kossi]) {
    const { status, body } = await mark(student, id);
    expect([status, body]).toEqual([200, { ...(await maria.api.get(`/api/teachers/${id}`)).body, favourite: true }]);
  }
  expect(await favouritesOf(student)).toEqual([maria.id, kossi.id]);
  expect((await student.api.get(`/api/teachers/${kossi.id}`)).body.favourite).toBe(true);
  const listed = (await student.api.get('/api/teachers')).body.data as { id: number; favourite: boolean }[];
  expect(new Set(listed.filter(({ favourite }) => favourite).map(({ id }) => id))).toEqual(
    new Set([kossi.id, maria.id]),
  );
  expect((await kossi.api.get(`/api/teachers/${maria.id}`)).body.favourite).toBe(false);
  for (let n = 0; n < 2; n += 1)
    expect((await unmark(student, maria.id)).body).toEqual({ message: 'The teacher is no favourite any more.' });
  expect(await favouritesOf(student)).toEqual([kossi.id]);
});

test('GET with before returns older favourites', async () => {
  const student = await admirer();
  const [kossi, maria, yao] = teachers.map(({ id }) => id);
  expect(await favouritesOf(student, '?limit=2')).toEqual([yao, maria]);
  expect(await favouritesOf(student, `?limit=2&before=${maria}`)).toEqual([kossi]);
  const { status, body } = await student.api.get(`/api/favourites?before=${student.id}`);
  expect([status, body.errors]).toEqual([422, { before: ['The selected before is invalid.'] }]);
});

test('unknown and malformed ids and students are a 404; teachers and administrators are a 403', async () => {
  const student = await service.user();
  for (const id of [999_999, student.id, 'abc', '99999999999999999999'])
    expect([(await mark(student, id)).status, (await unmark(student, id)).status]).toEqual([404, 404]);
  for (const api of [teachers[0]!.api, service.api.admin()])
    expect((await api.get('/api/favourites')).status).toBe(403);
  expect((await mark(teachers[0]!, teachers[1]!.id)).status).toBe(403);
  expect((await service.api.anonymous.get('/api/favourites')).status).toBe(401);
});

test('a banned teacher is left out until the ban ends, and can be unmarked', async () => {
  const su = await service.su();
  const banned = await service.user({ platform: 'teacher' });
  const [student, other] = [await service.user(), await service.user()];
  for (const one of [student, other]) await mark(one, banned.id);
  await su.api.put(`/api/admin/users/${banned.id}`, { status: 'banned' });
  expect(await favouritesOf(student)).toEqual([]);
  expect((await mark(await service.user(), banned.id)).status).toBe(404);
  expect((await unmark(other, banned.id)).status).toBe(200);
  await su.api.put(`/api/admin/users/${banned.id}`, { status: 'active' });
  expect([await favouritesOf(student), await favouritesOf(other)]).toEqual([[banned.id], []]);
});

test('a student has at most 500 favourites, also with concurrent requests', async () => {
  const student = await service.user();
  const few = await Promise.all(Array.from({ length: 3 }, () => service.user({ platform: 'teacher' })));
  await service.asOwner(
    `insert into account (id, platform, gauth_type, name, email, phone_number)
       select 900000 + g, 'teacher', 'email', 'x', 'f' || g, '' from generate_series(1, 499) g`,
  );
  await service.asOwner(
    'insert into favourite (student_id, teacher_id) select $1, 900000 + g from generate_series(1, 499) g',
    [student.id],
  );
  const answers = await Promise.all(few.map(({ id }) => mark(student, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
    'There are 500 favourites already. Remove one first.',
  );
});
