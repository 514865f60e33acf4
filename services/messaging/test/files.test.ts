import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '@tutoring/shared/kit/identity/auth';
import { openUpload } from '@tutoring/shared/testing/upload';
import { eventually } from '@tutoring/shared/testing/wait';
import sharp from 'sharp';
import { user } from '@tutoring/shared/testing/user';
import { HTML, startFiles, student, type FileKit } from './file-kit.ts';
import { uuidOf, type Messaging } from './kit.ts';

const MIB = 1024 * 1024;
let messaging: Messaging;
let files: FileKit;
beforeAll(async () => {
  files = await startFiles();
  ({ messaging } = files);
});
afterAll(() => messaging.stop());

const SAMPLES = new URL('../../../shared/test/samples/', import.meta.url);
const SUPPORT = '/api/support/files';
const ADMIN: Caller = { kind: 'admin', id: 900, name: 'Ada Min', level: 'su', tokenId: 900 };
const post: FileKit['post'] = (...sent) => files.post(...sent);
const pair = () => files.pair();

const WAV = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([36, 0, 0, 0]),
  Buffer.from('WAVEfmt '),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from('data\0\0\0\0'),
]);
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(64)]);
const SHOWN = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; media-src 'self'";
const SAVED = "sandbox; default-src 'none'";
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0f08' } })
    .png()
    .toBuffer();

describe('POST rooms/{uuid}/files', () => {
  test('returns the file, which a message can then link to', async () => {
    const { path, studentCaller, student: api, uuid } = await pair();
    const image = await png(40, 30);
    const { status, body } = await post(path, studentCaller, image, { name: 'holiday.png' });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        url: expect.stringMatching(/^http:\/\/public\.test\/api\/files\/[\w-]{32}$/),
        name: 'holiday.png',
        type: 'image',
        content_type: 'image/png',
        size: expect.any(Number),
        width: 40,
        height: 30,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      },
    ]);
    const sent = await api.post(`/api/rooms/${uuid}/messages`, { type: 'image', message_link: body.url });
    expect([sent.status, sent.body.message_link]).toEqual([200, body.url]);
    const served = await fetch(files.local(body.url));
    expect([served.status, served.headers.get('content-type'), served.headers.get('content-length')]).toEqual([
      200,
      'image/png',
      String(body.size),
    ]);
    expect(served.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''holiday.png");
  });

  test('turns an image upright and removes every kind of metadata', async () => {
    const { path, studentCaller } = await pair();
    const image = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#f00' } })
      .withExif({ IFD0: { Artist: 'secret name' }, IFD3: { GPSLatitude: '6/1 8/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { body } = await post(path, studentCaller, image);
    expect(body).toMatchObject({ type: 'image', content_type: 'image/jpeg', width: 80, height: 60 });
    const bytes = Buffer.from(await (await fetch(files.local(body.url))).arrayBuffer());
    const { width, height, exif, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, orientation }).toEqual({
      width: 80,
      height: 60,
      exif: undefined,
      orientation: undefined,
    });
    expect(bytes.includes('secret name')).toBe(false);
  });

  test('keeps an animated image animated', async () => {
    const { path, studentCaller } = await pair();
    const frames = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 8, height: 6, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { body } = await post(path, studentCaller, gif);
    expect(body).toMatchObject({ type: 'image', content_type: 'image/gif', width: 8, height: 6 });
    const bytes = Buffer.from(await (await fetch(files.local(body.url))).arrayBuffer());
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(2);
  });

  test.each([
    ['a WAV recording', WAV, 'x.html', 'audio', 'audio/wav'],
    ['an MP4 video', MP4, 'x.svg', 'video', 'video/mp4'],
    ['HTML', HTML, 'x.png', 'file', 'application/octet-stream'],
    ['SVG', SVG, 'x.png', 'file', 'application/octet-stream'],
    ['PDF', Buffer.from('%PDF-1.7\n%%EOF'), 'x.pdf', 'file', 'application/octet-stream'],
    ['an empty file', Buffer.alloc(0), 'x', 'file', 'application/octet-stream'],
  ])(
    'the type of %s comes from its bytes, and browsers download anything but images, audio and video',
    async (_what, bytes, name, type, contentType) => {
      const { path, studentCaller } = await pair();
      const { body } = await post(path, studentCaller, bytes, { name, type: 'image/png' });
      expect(body).toMatchObject({
        name,
        type,
        content_type: contentType,
        size: bytes.length,
        width: null,
        height: null,
      });
      const served = await fetch(files.local(body.url));
      expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
      expect(Object.fromEntries(served.headers)).toMatchObject({
        'content-type': contentType,
        'x-content-type-options': 'nosniff',
        'content-security-policy': type === 'file' ? SAVED : SHOWN,
        'content-disposition': type === 'file' ? `attachment; filename=${name}` : `inline; filename*=UTF-8''${name}`,
      });
    },
  );

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\devoir.pdf', 'devoir.pdf'],
    ["l'exer%22cice.pdf", 'lexercice.pdf'],
    ['évaluation été.pdf', 'évaluation été.pdf'],
    ['a\u202egpj.exe', 'agpj.exe'],
    ['.htaccess', 'htaccess'],
    ['..', 'file'],
    ['👩‍🏫.png', '👩‍🏫.png'],
    [`${'é'.repeat(300)}.pdf`, `${'é'.repeat(251)}.pdf`],
    [`${'😀'.repeat(200)}.pdf`, `${'😀'.repeat(125)}.pdf`],
  ])('the name %j is cleaned', async (given, name) => {
    const { path, studentCaller } = await pair();
    const { body } = await post(path, studentCaller, Buffer.from('x'), { name: given });
    expect(body.name).toBe(name);
    const disposition = (await fetch(files.local(body.url))).headers.get('content-disposition')!;
    expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? name)).toBe(name);
  });

  test.each([
    [
      'a broken image',
      Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)]),
    ],
    ['a JPEG without a picture', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    ['a Photoshop file', Buffer.concat([Buffer.from('8BPS\0\x01'), Buffer.alloc(200)])],
    ['a JPEG XL', Buffer.concat([Buffer.from('ff0a', 'hex'), Buffer.alloc(60)])],
  ])('%s is stored unchanged, as a file', async (_what, bytes) => {
    const { path, studentCaller } = await pair();
    const { status, body } = await post(path, studentCaller, bytes, { name: 'x.psd' });
    expect([status, body.type, body.content_type, body.size]).toEqual([
      200,
      'file',
      'application/octet-stream',
      bytes.length,
    ]);
    const served = await fetch(files.local(body.url));
    expect(served.headers.get('content-disposition')).toBe('attachment; filename=x.psd');
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
  });

  test.each([
    ['photo.heic', 'image', 'image/jpeg'],
    ['voice.webm', 'audio', 'audio/webm'],
    ['voice.mp4', 'audio', 'audio/mp4'],
    ['film.mp4', 'video', 'video/mp4'],
    ['two-photos.heic', 'file', 'application/octet-stream'],
  ])('%s gets the type %s and is served as %s', async (name, type, contentType) => {
    const { path, studentCaller } = await pair();
    const { body } = await post(path, studentCaller, await readFile(new URL(name, SAMPLES)), { name });
    expect(body).toMatchObject({ type, content_type: contentType });
  });

  test('accepts files up to the size in the setting; a change takes effect at once', async () => {
    const { path, studentCaller } = await pair();
    expect((await post(path, studentCaller, Buffer.alloc(25 * MIB))).body.size).toBe(25 * MIB);
    expect((await post(path, studentCaller, Buffer.alloc(25 * MIB + 1))).status).toBe(413);
    await messaging.service.receive('setting.changed', { name: 'file_max_mb', value: 1, version: 2 });
    await eventually(
      'the limit is lowered',
      async () => (await post(path, studentCaller, Buffer.alloc(2 * MIB))).status === 413,
    );
    await messaging.service.receive('setting.changed', { name: 'file_max_mb', value: 25, version: 3 });
    await eventually(
      'the limit is raised',
      async () => (await post(path, studentCaller, Buffer.alloc(2 * MIB))).status === 200,
    );
  });
});

describe('permission to upload', () => {
  test('only users who may write in the room or to support can upload there', async () => {
    const { path, studentCaller, teacherCaller, uuid } = await pair();
    const unread = async (to: string, caller?: Caller) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=f', 'content-length': '1000' };
      const sending = openUpload(`${messaging.service.url}${to}`, { ...headers, ...(caller && files.signed(caller)) });
      const { status, body } = await sending.answer;
      sending.leave();
      return [status, body.message];
    };
    expect((await post(path, teacherCaller, HTML)).status).toBe(200);
    expect(await unread(path, student(99))).toEqual([404, 'Room not found.']);
    expect(await unread(path.replace(uuid, uuidOf(7, 8)), studentCaller)).toEqual([404, 'Room not found.']);
    expect(await unread('/api/rooms/x/files', studentCaller)).toEqual([404, 'Room not found.']);
    expect((await unread(path))[0]).toBe(401);
    expect((await unread(path, ADMIN))[0]).toBe(403);
    expect((await unread(SUPPORT))[0]).toBe(401);
    await messaging.meet(user((studentCaller as { id: number }).id, 'student', { status: 'banned', version: 2 }));
    expect((await unread(path, studentCaller))[0]).toBe(403);
    expect((await unread(SUPPORT, studentCaller))[0]).toBe(403);
    expect(await unread(path, teacherCaller)).toEqual([409, 'This person can no longer receive messages.']);
  });

  test('users upload to support, administrators to a support room; an upload by an administrator is audited', async () => {
    const { studentCaller, student: api } = await pair();
    const { id } = studentCaller as { id: number };
    const own = await post(SUPPORT, studentCaller, HTML, { name: 'bill.txt' });
    expect([own.status, own.body.name]).toEqual([200, 'bill.txt']);
    await api.post('/api/support/messages', { message: 'Hello', message_link: own.body.url });
    const rooms = (await messaging.service.api.admin('su').get('/api/admin/rooms')).body;
    const { uuid } = rooms.find((room: { user: { id: number } }) => room.user.id === id);
    const path = `/api/admin/rooms/${uuid}/files`;
    const reply = await post(path, ADMIN, WAV, { name: 'answer.wav' });
    expect([reply.status, reply.body.type]).toEqual([200, 'audio']);
    expect((await messaging.service.published('admin.acted')).at(-1)).toMatchObject({
      admin_id: 900,
      action: 'file.created',
      subject: `file:${reply.body.id}`,
      after: { name: 'answer.wav', type: 'audio' },
    });
    expect((await post(path, studentCaller, HTML)).status).toBe(403);
    expect((await post(path.replace(uuid, uuidOf(7, 8)), ADMIN, HTML)).status).toBe(404);
    await messaging.meet(user(id, 'student', { deleted: true, version: 9 }));
    expect((await post(path, ADMIN, HTML)).status).toBe(409);
  });
});
