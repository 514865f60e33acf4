import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER, type Caller } from '@tutoring/shared/kit/identity/auth';
import { form, openUpload, upload } from '@tutoring/shared/testing/upload';
import { eventually } from '@tutoring/shared/testing/wait';
import { user } from '@tutoring/shared/testing/user';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
  // Noon: the day must not end during the tests.
  await messaging.service.shiftClock(43_200 - ((Date.now() / 1_000) % 86_400));
});
afterAll(() => messaging.stop());

const COUNTED = 'select 1 from upload_day where owner_id = $1';
const signed = (caller: Caller) => ({ [IDENTITY_HEADER]: messaging.service.signer.sign(caller) });
const post = (path: string, caller: Caller, bytes: Uint8Array) =>
  upload(`${messaging.service.url}${path}`, bytes, { headers: signed(caller) });

let people = 100;
async function pair() {
  const [studentId, teacherId] = [(people += 1), (people += 1)];
  const { uuid } = await messaging.pair(studentId, teacherId);
  const caller: Caller = { kind: 'user', id: studentId, platform: 'student', tokenId: studentId };
  return { caller, path: `/api/rooms/${uuid}/files` };
}

test('an upload beyond 500 MiB a day is refused with a 429', async () => {
  const { path, caller } = await pair();
  await post(path, caller, Buffer.alloc(10));
  await messaging.service.rows(`update upload_day set bytes = 500 * 1024 * 1024 - 20`);
  const [fits, not] = [await post(path, caller, Buffer.alloc(20)), await post(path, caller, Buffer.alloc(1))];
  expect([fits.status, not.status]).toEqual([200, 429]);
  await messaging.service.rows('delete from upload_day');
});

test('of sixty concurrent uploads, with forty left for the day, forty are accepted', async () => {
  const { path, caller } = await pair();
  await post(path, caller, Buffer.alloc(10));
  await messaging.service.rows(`update upload_day set files = 160`);
  const many = await Promise.all(Array.from({ length: 60 }, () => post(path, caller, Buffer.alloc(10))));
  const [accepted, refused, busy] = [200, 429, 503].map((wanted) => many.filter(({ status }) => status === wanted));
  expect(accepted!.length + refused!.length + busy!.length).toBe(60);
  // What a busy machine has refused may have been counted before.
  expect(accepted!.length).toBeLessThanOrEqual(40);
  expect(accepted!.length + busy!.length).toBeGreaterThanOrEqual(40);
  await messaging.service.rows('delete from upload_day');
});

test('an upload counts from its first byte: of two for the last slot of the day one is refused immediately', async () => {
  const { path, caller } = await pair();
  await post(path, caller, Buffer.alloc(10));
  await messaging.service.rows(`update upload_day set files = 199`);
  const headers = { ...signed(caller), 'content-type': 'multipart/form-data; boundary=f', 'content-length': '100000' };
  const open = () => openUpload(`${messaging.service.url}${path}`, headers);
  const both = [open(), open()];
  const head = Buffer.from('--f\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
  await Promise.all(both.map((sending) => sending.write(head)));
  expect((await Promise.race(both.map(({ answer }) => answer))).status).toBe(429);
  both.forEach((sending) => sending.leave());
  await eventually('the slot is free again', async () => (await post(path, caller, Buffer.alloc(10))).status === 200);
  await messaging.service.rows('delete from upload_day');
});

test.each(['the room', 'support'])(
  "an upload to %s that ends after its owner's deletion creates no file",
  async (where) => {
    const { path, caller } = await pair();
    const { id } = caller as { id: number };
    const { type, body } = form(Buffer.from('a file'));
    const headers = { ...signed(caller), 'content-type': type, 'content-length': String(body.length) };
    const to = where === 'support' ? '/api/support/files' : path;
    const sending = openUpload(`${messaging.service.url}${to}`, headers);
    await sending.write(body.subarray(0, 100));
    await eventually('the upload has begun', async () => (await messaging.service.rows(COUNTED, [id])).length > 0);
    await messaging.meet(user(id, 'student', { deleted: true, version: 9 }));
    await sending.write(body.subarray(100));
    sending.end();
    expect((await sending.answer).status).toBe(403);
    expect(
      await messaging.service.rows(`select state from file where owner_id = $1 and state = 'visible'`, [id]),
    ).toEqual([]);
  },
);
