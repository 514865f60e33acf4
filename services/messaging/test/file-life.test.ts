import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { eventually } from '@tutoring/shared/testing/wait';
import { markSent } from '../src/files/file-store.ts';
import { HTML, startFiles, type FileKit } from './file-kit.ts';
import type { Messaging } from './kit.ts';

/* When files are deleted. */

let messaging: Messaging;
let files: FileKit;
beforeAll(async () => {
  files = await startFiles();
  ({ messaging } = files);
});
afterAll(() => messaging.stop());

const post: FileKit['post'] = (...sent) => files.post(...sent);
const pair = () => files.pair();
const statusOf = (link: string) => files.statusOf(link);
const isStored = (link: string) => files.isStored(link);

test('a file that no message uses is deleted after one day; used files are kept', async () => {
  const { path, studentCaller, student: api, uuid } = await pair();
  const [used, keyed, supported, unused] = (
    await Promise.all(Array.from({ length: 4 }, () => post(path, studentCaller, HTML)))
  ).map(({ body }) => body.url as string) as [string, string, string, string];
  await api.post(`/api/rooms/${uuid}/messages`, { message_link: used });
  await api.post(`/api/rooms/${uuid}/messages`, { message_link: keyed }, { 'idempotency-key': 'a' });
  // The host name that an app in an emulator uses.
  await api.post('/api/support/messages', { message_link: supported.replace('public.test', '10.0.2.2:8080') });
  const statuses = () => Promise.all([used, keyed, supported, unused].map(statusOf));
  await messaging.service.shiftClock(23 * 3_600);
  await messaging.service.runJob('files');
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await messaging.service.shiftClock(25 * 3_600);
  await messaging.service.runJob('files');
  await messaging.service.shiftClock(0);
  expect(await statuses()).toEqual([200, 200, 200, 404]);
  expect([await isStored(used), await isStored(unused)]).toEqual([true, false]);
});

test.each([
  ['below the path of PUBLIC_URL', (link: string) => link.replace('/api/', '/tutoring/api/')],
  ['with a query', (link: string) => `${link}?download=1`],
  ['with a fragment', (link: string) => `${link}#page=2`],
  ['with its scheme in capitals', (link: string) => link.replace('http', 'HTTP')],
])('a file is kept when a message links to it %s', async (_how, change) => {
  const { path, studentCaller, student: api, uuid } = await pair();
  const link = (await post(path, studentCaller, HTML)).body.url as string;
  expect((await api.post(`/api/rooms/${uuid}/messages`, { message_link: change(link) })).status).toBe(200);
  await messaging.service.shiftClock(25 * 3_600);
  await messaging.service.runJob('files');
  await messaging.service.shiftClock(0);
  expect(await statusOf(link)).toBe(200);
});

test('a file that somebody else sends while its owner is being deleted is kept', async () => {
  const { path, studentCaller, studentId, teacherId, student: api, teacher: other, uuid } = await pair();
  const link = (await post(path, studentCaller, HTML)).body.url as string;
  const send = (from: typeof api) => from.post(`/api/rooms/${uuid}/messages`, { message_link: link });
  await send(api);
  const held = await messaging.service.lockUntil(
    `perform 1 from file where key = '${link.split('/').at(-1)}' for update`,
    {
      then: `insert into file_sender (key, sender_id) values ('${link.split('/').at(-1)}', ${teacherId});`,
    },
  );
  await messaging.meet(user(studentId, 'student', { deleted: true, version: 5 }));
  await held.released;
  expect(await statusOf(link)).toBe(200);
  expect((await send(other)).status).toBe(409);
});

test('a file is removed when its sender is deleted while the message is being stored', async () => {
  const { path, studentCaller, studentId: id } = await pair();
  const link = (await post(path, studentCaller, HTML)).body.url as string;
  let deletion: Promise<unknown> = Promise.resolve();
  await messaging.service.service.database.transact(async (tx) => {
    await markSent(tx, [{ message_link: link, sender_id: id }]);
    deletion = messaging.meet(user(id, 'student', { deleted: true, version: 5 }));
    await eventually('the deletion waits', async () => {
      const waiting = await messaging.service.asOwner('select 1 from pg_locks where not granted');
      const gone = await messaging.service.asOwner(`select 1 from user_copy where id = ${id} and deleted`);
      return waiting.length + gone.length > 0;
    });
  });
  await deletion;
  expect(await statusOf(link)).toBe(404);
});

test('deletion of an account removes the files that nobody else has sent', async () => {
  const { path, studentCaller, teacherCaller, studentId, teacherId, student: api, teacher: other, uuid } = await pair();
  const urls = await Promise.all(
    [studentCaller, studentCaller, studentCaller, teacherCaller].map(
      async (who) => (await post(path, who, HTML)).body.url,
    ),
  );
  const [own, shared, unsent, others] = urls as [string, string, string, string];
  const send = (from: typeof api, link: string) => from.post(`/api/rooms/${uuid}/messages`, { message_link: link });
  await send(api, own);
  await send(api, shared);
  await send(other, shared);
  await send(other, others);
  await messaging.meet(user(studentId, 'student', { deleted: true, version: 5 }));
  expect(await Promise.all([own, unsent, shared, others].map(statusOf))).toEqual([404, 404, 200, 200]);
  await messaging.service.runJob('files');
  expect(await Promise.all([own, unsent, shared, others].map(isStored))).toEqual([false, false, true, true]);
  await messaging.meet(user(teacherId, 'teacher', { deleted: true, version: 5 }));
  expect(await Promise.all([shared, others].map(statusOf))).toEqual([404, 404]);
});
