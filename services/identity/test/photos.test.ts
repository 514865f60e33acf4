import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import { form, openUpload, upload } from '@tutoring/shared/testing/upload';
import { eventually } from '@tutoring/shared/testing/wait';
import sharp from 'sharp';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';
import { bomb, DEFAULT, DISGUISED_SVG, sideways, startPhotos } from './photo-kit.ts';

let photos: Awaited<ReturnType<typeof startPhotos>>;
let service: TestIdentity;
let { post, local, stored, clean, signed } = {} as typeof photos;
beforeAll(async () => {
  photos = await startPhotos();
  ({ service, post, local, stored, clean, signed } = photos);
});
afterAll(() => photos.end());

describe('POST me/photo', () => {
  test('an upload becomes a square, upright JPEG of 512 pixels without metadata, and returns the user', async () => {
    const user = await service.user();
    const answer = await post(user, await sideways());
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...user.view, photo: answer.body.photo, updated_at: answer.body.updated_at },
    ]);
    expect(answer.body.photo).toMatch(/^http:\/\/public\.test\/api\/photos\/[\w-]{32}$/);
    expect((await user.api.get('/api/me')).body.photo).toBe(answer.body.photo);
    expect((await service.published('user.changed')).at(-1)!.photo).toBe(answer.body.photo);

    const photo = await fetch(local(answer.body.photo));
    const bytes = Buffer.from(await photo.arrayBuffer());
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const { width, height, format, exif, icc, orientation } = await sharp(bytes).metadata();
    expect({ width, height, format, exif, icc, orientation }).toEqual({
      ...{ width: 512, height: 512, format: 'jpeg', exif: undefined, icc: undefined, orientation: undefined },
    });
    const [left, right] = await Promise.all(
      [10, 500].map((x) => sharp(bytes).extract({ left: x, top: 256, width: 1, height: 1 }).raw().toBuffer()),
    );
    expect([left![0]! > 200, right![2]! > 200]).toEqual([true, true]);
  });

  test.each(['png', 'webp', 'gif', 'avif'] as const)('%s is accepted, whatever name and type say', async (format) => {
    const user = await service.user();
    const image = await sharp({ create: { width: 20, height: 10, channels: 4, background: '#0f08' } })
      .toFormat(format)
      .toBuffer();
    const answer = await post(user, image, { name: 'x.html', type: 'text/html' });
    expect(answer.status).toBe(200);
    expect((await fetch(local(answer.body.photo))).headers.get('content-type')).toBe('image/jpeg');
  });

  test.each([
    ['a HEIC', () => readFile(new URL('../../../shared/test/samples/photo.heic', import.meta.url))],
    ['a JPEG that lacks its last bytes', async () => (await sideways()).subarray(0, -20)],
  ])('an upload of %s is accepted', async (_what, make) => {
    const user = await service.user();
    const answer = await post(user, await make());
    expect([answer.status, answer.body.photo]).toEqual([200, expect.stringContaining('/api/photos/')]);
  });

  const required = ['The file field is required.'];
  const notAnImage = ['The file field must be an image.'];
  test.each([
    ['a form without the file', () => form(Buffer.from('x'), { field: 'photo' }), 422, required],
    [
      'an empty form',
      () => ({ type: 'multipart/form-data; boundary=f', body: Buffer.from('--f--\r\n') }),
      422,
      required,
    ],
    ['a text file', () => form(Buffer.from('hello'), { type: 'image/png' }), 422, notAnImage],
    ['an empty file', () => form(Buffer.alloc(0)), 422, notAnImage],
    ['an SVG', () => form(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 422, notAnImage],
    ['an SVG that begins like an AVIF', () => form(DISGUISED_SVG), 422, notAnImage],
    ['half an image', async () => form((await sideways()).subarray(0, 2_000)), 422, notAnImage],
    ['an image of 2,500,000,000 pixels', () => form(bomb(50_000)), 422, notAnImage],
    ['an image of 100,000,000 pixels', () => form(bomb(10_000)), 422, notAnImage],
    ['JSON', () => ({ type: 'application/json', body: Buffer.from('{}') }), 415, undefined],
    ['a form without boundary', () => ({ type: 'multipart/form-data', body: Buffer.from('x') }), 400, undefined],
    [
      'half a form',
      () => ({ ...form(Buffer.from('x')), body: form(Buffer.from('xxxxx')).body.subarray(0, 100) }),
      400,
      undefined,
    ],
    ['more than 5 MiB', () => form(randomBytes(5 * 1024 * 1024 + 1)), 413, undefined],
  ])('an upload of %s is refused', async (_what, make, status, errors) => {
    const user = await service.user();
    const before = await stored();
    const { type, body } = await make();
    const headers = { 'content-type': type, 'content-length': String(body.length), ...signed(user) };
    const sending = openUpload(`${service.url}/api/me/photo`, headers);
    void sending.write(body);
    sending.end();
    const answer = await sending.answer;
    expect([answer.status, answer.body.errors]).toEqual([status, errors && { file: errors }]);
    expect((await user.api.get('/api/me')).body.photo).toBe(DEFAULT);
    expect(await stored()).toEqual(before);
  });

  test('an upload of exactly 5 MiB is accepted', async () => {
    const user = await service.user();
    const image = await sideways();
    const padded = Buffer.concat([image, Buffer.alloc(5 * 1024 * 1024 - image.length)]);
    expect((await post(user, padded)).status).toBe(200);
  });

  test('anonymous callers and administrators are refused before the body is read', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=f', 'content-length': '1000000' };
    const stranger = openUpload(`${service.url}/api/me/photo`, headers);
    expect((await stranger.answer).status).toBe(401);
    const identity = service.signer.sign((await service.su()).caller);
    const admin = openUpload(`${service.url}/api/me/photo`, { ...headers, [IDENTITY_HEADER]: identity });
    expect((await admin.answer).status).toBe(403);
  });

  test('a body that is too large is refused before its end, with and without Content-Length', async () => {
    const user = await service.user();
    const { type, body } = form(randomBytes(5 * 1024 * 1024 + 70_000));
    const announced = { 'content-type': type, 'content-length': '100000000', ...signed(user) };
    const first = openUpload(`${service.url}/api/me/photo`, announced);
    void first.write(body.subarray(0, 1_000));
    expect((await first.answer).status).toBe(413);
    first.leave();
    const second = openUpload(`${service.url}/api/me/photo`, { 'content-type': type, ...signed(user) });
    void second.write(body);
    expect((await second.answer).status).toBe(413);
    second.leave();
  });

  test('a client that disconnects midway leaves no file', async () => {
    const user = await service.user();
    const before = await stored();
    const { type, body } = form(await sideways());
    const sending = openUpload(`${service.url}/api/me/photo`, {
      'content-type': type,
      'content-length': String(body.length),
      ...signed(user),
    });
    await sending.write(body.subarray(0, body.length - 20));
    await eventually('the bytes arrive', async () => (await stored()).length > before.length);
    sending.leave();
    await eventually('the draft is gone', async () => (await stored()).length === before.length);
    expect((await user.api.get('/api/me')).body.photo).toBe(DEFAULT);
  });

  test('an upload that ends after the deletion of the account is a 404 and stores no photo', async () => {
    const user = await service.user();
    const { type, body } = form(await sideways());
    const headers = { ...signed(user), 'content-type': type, 'content-length': String(body.length) };
    const sending = openUpload(`${service.url}/api/me/photo`, headers);
    await sending.write(body.subarray(0, 100));
    const counted = 'select 1 from upload_day where owner_id = $1';
    await eventually('the upload has begun', async () => (await service.rows(counted, [user.id])).length > 0);
    expect((await user.api.delete('/api/me', { password: PASSWORD })).status).toBe(200);
    await sending.write(body.subarray(100));
    sending.end();
    expect((await sending.answer).status).toBe(404);
    expect(await service.rows(`select 1 from photo where account_id = $1 and state = 'visible'`, [user.id])).toEqual(
      [],
    );
  });

  test('uploads beyond 200 files or 500 MiB a day are a 429, also concurrent ones, until the next day', async () => {
    const user = await service.user();
    const image = await sharp({ create: { width: 5, height: 5, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await post(user, image);
    await service.rows('update upload_day set files = 197 where owner_id = $1', [user.id]);
    const many = await Promise.all(Array.from({ length: 6 }, () => post(user, image)));
    expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    expect(Number(many.find(({ status }) => status === 429)!.headers['retry-after'])).toBeGreaterThan(0);
    await service.rows('update upload_day set files = 1, bytes = 500 * 1024 * 1024 where owner_id = $1', [user.id]);
    expect((await post(user, image)).status).toBe(429);
    await service.shiftClock(86_400);
    expect((await post(user, image)).status).toBe(200);
    await service.shiftClock(3 * 86_400);
    await clean();
    expect(await service.rows('select 1 from upload_day')).toEqual([]);
    await service.shiftClock(0);
  });
});

test('an upload while the file store is unavailable is a 503 and changes nothing', async () => {
  const broken = await startIdentity({ FILES_URL: `file://${fileURLToPath(import.meta.url)}/folder` });
  try {
    const user = await broken.user();
    const answer = await upload(`${broken.url}/api/me/photo`, await sideways(), {
      headers: { [IDENTITY_HEADER]: broken.signer.sign(user.caller) },
    });
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect((await user.api.get('/api/me')).body.photo).toBe(DEFAULT);
  } finally {
    await broken.end();
  }
});
