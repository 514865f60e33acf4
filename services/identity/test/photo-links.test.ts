import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PASSWORD, type TestIdentity } from './identity.ts';
import { DEFAULT, sideways, startPhotos } from './photo-kit.ts';

let photos: Awaited<ReturnType<typeof startPhotos>>;
let service: TestIdentity;
let { post, local, stored, clean, folder } = {} as typeof photos;
beforeAll(async () => {
  photos = await startPhotos();
  ({ service, post, local, stored, clean, folder } = photos);
});
afterAll(() => photos.end());

describe('the link of a photo', () => {
  const linked = async () => {
    const user = await service.user();
    return { user, link: (await post(user, await sideways())).body.photo as string };
  };
  const status = async (link: string) => (await fetch(local(link))).status;

  test('a link ends when the photo is replaced or removed', async () => {
    const { user, link } = await linked();
    const second = (await post(user, await sideways())).body.photo as string;
    expect([await status(link), await status(second)]).toEqual([404, 200]);
    const answer = await user.api.delete('/api/me/photo');
    expect([answer.status, answer.body]).toEqual([200, { message: 'The photo has been removed.' }]);
    expect([await status(second), (await user.api.get('/api/me')).body.photo]).toEqual([404, DEFAULT]);
    await clean();
    const keys = [link, second].map((one) => one.split('/').at(-1)!);
    expect((await stored()).filter((path) => keys.some((key) => path.endsWith(key)))).toEqual([]);
    expect(await service.rows('select 1 from photo where key = any($1)', [keys])).toEqual([]);
    expect((await user.api.delete('/api/me/photo')).status).toBe(200);
  });

  test('a link stays valid when the unchanged photo is saved, and ends with another photo', async () => {
    const { user, link } = await linked();
    expect((await user.api.put('/api/me', { photo: link, city: 'Lomé' })).body.photo).toBe(link);
    expect(await status(link)).toBe(200);
    expect((await user.api.put('/api/me', { photo: 'https://img.test/x.png' })).body.photo).toBe(
      'https://img.test/x.png',
    );
    expect(await status(link)).toBe(404);
  });

  test('the deletion of the account ends the link and removes the file', async () => {
    const { user, link } = await linked();
    const key = link.split('/').at(-1)!;
    expect((await stored()).some((path) => path.endsWith(key))).toBe(true);
    const deleted = await user.api.delete('/api/me', { password: PASSWORD });
    expect([deleted.status, await status(link)]).toEqual([200, 404]);
    await eventually('the bytes are gone', async () => !(await stored()).some((path) => path.endsWith(key)));
  });

  test('a link supports ranges, conditional requests and HEAD; browsers can use it only as an image', async () => {
    const { link } = await linked();
    const get = (headers: Record<string, string>, method = 'GET') => fetch(local(link), { method, headers });
    const whole = await get({});
    const bytes = Buffer.from(await whole.arrayBuffer());
    const tag = whole.headers.get('etag')!;
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox allow-same-origin; default-src 'none'; img-src 'self'; media-src 'self'",
      'content-disposition': "inline; filename*=UTF-8''photo.jpg",
    });
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await get({ range, ...more });
      return [answer.status, answer.headers.get('content-range'), Buffer.from(await answer.arrayBuffer())];
    };
    const size = bytes.length;
    expect(await part('bytes=0-9')).toEqual([206, `bytes 0-9/${size}`, bytes.subarray(0, 10)]);
    expect(await part('bytes=10-')).toEqual([206, `bytes 10-${size - 1}/${size}`, bytes.subarray(10)]);
    expect(await part('bytes=-5')).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, bytes.subarray(-5)]);
    expect(await part('bytes=0-9', { 'if-range': '"other"' })).toEqual([200, null, bytes]);
    expect(await part('bytes=0-9', { 'if-range': tag })).toEqual([206, `bytes 0-9/${size}`, bytes.subarray(0, 10)]);
    expect(await part('pages=1-2')).toEqual([200, null, bytes]);
    expect(await part('bytes=0-1,5-9')).toEqual([200, null, bytes]);
    expect((await part(`bytes=${size}-`)).slice(0, 2)).toEqual([416, `bytes */${size}`]);
    const unchanged = await get({ 'if-none-match': tag });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(size), '']);
  });

  test.each(['x', 'A'.repeat(32), '..%2f..%2fpasswd', '%00'.repeat(32)])(
    'a link with the unknown key %s is a 404',
    async (key) => {
      expect((await fetch(`${service.url}/api/photos/${key}`)).status).toBe(404);
    },
  );
});

test('files of killed processes are removed after an hour', async () => {
  const user = await service.user();
  const own = (await post(user, await sideways())).body.photo as string;
  await clean();
  const before = await stored();
  const key = 'k'.repeat(32);
  await service.rows('insert into photo (key, account_id, size) values ($1, $2, 1)', [key, user.id]);
  const draft = join(folder, 'photos/.drafts', 'd'.repeat(32));
  const pending = join(folder, 'photos', 'kk', key);
  await mkdir(join(pending, '..'), { recursive: true });
  for (const path of [draft, pending]) await writeFile(path, 'x');
  expect((await fetch(`${service.url}/api/photos/${key}`)).status).toBe(404);
  await clean();
  expect((await stored()).length).toBe(before.length + 2);
  await service.shiftClock(3_700);
  const old = new Date(Date.now() - 3_700_000);
  await utimes(draft, old, old);
  await clean();
  await service.shiftClock(0);
  expect((await stored()).sort()).toEqual(before.sort());
  expect(await service.rows('select 1 from photo where key = $1', [key])).toEqual([]);
  expect((await fetch(local(own))).status).toBe(200);
});
