import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { renderInChild } from '../kit/files/images.ts';
import { mediaOf } from '../kit/files/media.ts';
import { removeLocations } from '../kit/files/locations.ts';
import { scaled } from '../testing/scale.ts';

const SAMPLES = fileURLToPath(new URL('./samples/', import.meta.url));
const sample = (name: string) => join(SAMPLES, name);

/** Distance of the offsets at which a file is cut or changed; no divisor of the sizes that formats use. */
const OFFSETS = scaled(3, 37);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the type of a video container', () => {
  test.each([
    ['voice.webm', 'audio', 'audio/webm'],
    ['voice-live.webm', 'audio', 'audio/webm'],
    ['voice.mkv', 'audio', 'audio/matroska'],
    ['voice.mp4', 'audio', 'audio/mp4'],
    ['voice-fragmented.mp4', 'audio', 'audio/mp4'],
    ['voice.mov', 'audio', 'audio/mp4'],
    ['voice.3gp', 'audio', 'audio/3gpp'],
    ['film.webm', 'video', 'video/webm'],
    ['film.mp4', 'video', 'video/mp4'],
    ['silent-film.mp4', 'video', 'video/mp4'],
  ])('%s is %s: without a video track it is audio', async (name, type, contentType) => {
    expect(await mediaOf(sample(name))).toEqual({ type, contentType });
  });

  test.each(['voice.webm', 'voice.mkv', 'voice.mp4', 'film.mp4'])(
    '%s is classified when it is truncated, or a byte is changed, at any offset',
    async (name) => {
      const whole = await readFile(sample(name));
      const path = join(folder, 'changed');
      for (let at = 4; at < whole.length; at += OFFSETS) {
        await writeFile(path, whole.subarray(0, at));
        expect(['audio', 'video', 'file']).toContain((await mediaOf(path)).type);
        const changed = Buffer.from(whole);
        changed[at] = 0xff;
        await writeFile(path, changed);
        expect(['audio', 'video', 'image', 'file']).toContain((await mediaOf(path)).type);
      }
    },
  );

  test('only some headers of a file with a million empty boxes are read', async () => {
    const boxes = Buffer.alloc(8_000_000);
    for (let at = 0; at < boxes.length; at += 8) boxes.write('\0\0\0\x08free', at, 'latin1');
    const path = join(folder, 'boxes.mp4');
    await writeFile(path, Buffer.concat([(await readFile(sample('voice.mp4'))).subarray(0, 32), boxes]));
    expect((await mediaOf(path)).type).toBe('video');
  });
});

const rendered = async (from: string, contentType: string) => {
  const to = join(folder, 'made');
  const outcome = await renderInChild({ from, to, contentType }, 60_000);
  return { outcome, bytes: await readFile(to) };
};

const frames = () =>
  Promise.all(
    ['#f00', '#00f', '#0f0'].map((background) =>
      sharp({ create: { width: 8, height: 6, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );

/** A chunk of PNG. */
function chunk(type: string, data: string): Buffer {
  const body = Buffer.from(type + data, 'latin1');
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

describe('an animation keeps all of its frames and loses its metadata', () => {
  test.each(['gif', 'webp'] as const)('in the format %s', async (format) => {
    const from = join(folder, `animated.${format}`);
    const image = sharp(await frames(), { join: { animated: true } }).withExif({ IFD0: { Artist: 'secret name' } });
    await image.toFormat(format).toFile(from);
    // A comment, which sharp does not write.
    const written = await readFile(from);
    const comment = Buffer.from('\x21\xfe\x0bsecret name\0', 'latin1');
    if (format === 'gif') await writeFile(from, Buffer.concat([written.subarray(0, -1), comment, Buffer.from(';')]));
    expect((await readFile(from)).includes('secret name')).toBe(true);
    const { outcome, bytes } = await rendered(from, `image/${format}`);
    expect(outcome).toEqual({ picture: { contentType: `image/${format}`, width: 8, height: 6 } });
    const { pages, loop, delay } = await sharp(bytes).metadata();
    const before = await sharp(from).metadata();
    expect({ pages, loop, delay }).toEqual({ pages: 3, loop: before.loop, delay: before.delay });
    expect(bytes.includes('secret name')).toBe(false);
    expect(await sharp(bytes, { animated: true }).raw().toBuffer()).toEqual(
      await sharp(from, { animated: true }).raw().toBuffer(),
    );
  });

  test('in the format png', async () => {
    const whole = await readFile(sample('animated.png'));
    const from = join(folder, 'animated.png');
    const secret = Buffer.concat([chunk('tEXt', 'Author\0secret name'), chunk('eXIf', 'II*\0secret name')]);
    await writeFile(from, Buffer.concat([whole.subarray(0, 33), secret, whole.subarray(33)]));
    const { contentType } = await mediaOf(from);
    const { outcome, bytes } = await rendered(from, contentType);
    expect(outcome).toEqual({ picture: { contentType: 'image/png', width: 16, height: 12 } });
    expect(bytes).toEqual(whole);
  });
});

test.each([
  ['a TIFF with several pages', 'pages.tiff', 'image/tiff'],
  ['a HEIC with several photos', sample('two-photos.heic'), 'image/heic'],
  ['an AVIF sequence', sample('sequence.avif'), 'image/avif'],
])('%s is copied unchanged', async (_what, name, contentType) => {
  const from = join(folder, name.split('/').at(-1)!);
  if (name === 'pages.tiff')
    await sharp(await frames(), { join: { animated: true } })
      .tiff()
      .toFile(from);
  else await writeFile(from, await readFile(name));
  const to = join(folder, 'passed');
  expect(await renderInChild({ from, to, contentType }, 60_000)).toEqual({});
  expect(await renderInChild({ from, to }, 60_000)).toEqual({ isCopied: true });
  expect(await readFile(to)).toEqual(await readFile(from));
});

describe('truncated images', () => {
  const tall = () =>
    sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: '#f00',
        noise: { type: 'gaussian', mean: 99, sigma: 30 },
      },
    });
  test.each([
    ['without their last bytes', false, 0.98],
    ['without their second half', false, 0.5],
    ['progressive and without their last pass', true, 0.8],
  ])('are rendered as browsers show them: %s', async (_what, progressive, share) => {
    const whole = await tall().jpeg({ progressive }).toBuffer();
    const from = join(folder, 'truncated.jpeg');
    await writeFile(from, whole.subarray(0, whole.length * share));
    const { outcome } = await rendered(from, 'image/jpeg');
    expect(outcome).toEqual({ picture: { contentType: 'image/jpeg', width: 400, height: 400 } });
    const portrait = await renderInChild({ from, to: join(folder, 'portrait'), side: 64 }, 60_000);
    expect('picture' in portrait).toBe(share > 0.75);
  });
});

describe('the GPS location of an image', () => {
  const GPS = {
    GPSLatitude: '48/1 51/1 24/1',
    GPSLatitudeRef: 'N',
    GPSLongitude: '2/1 21/1 8/1',
    GPSLongitudeRef: 'E',
  };
  const picture = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } }).withExif({
      IFD0: { Make: 'Camera' },
      IFD3: GPS,
    });
  const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf exif:GPSLatitude="48,51.4N"/></x:xmpmeta>';

  test.each(['jpeg', 'webp', 'avif'] as const)('is removed from a %s that is copied', async (format) => {
    const before = await picture().withXmp(XMP).toFormat(format).toBuffer();
    const bytes = Buffer.from(before);
    removeLocations(bytes);
    const [was, is] = [await sharp(before).metadata(), await sharp(bytes).metadata()];
    // 48/1 and 51/1, in either byte order.
    const location = /0\0\0\0\x01\0\0\x003\0\0\0|\0\0\x000\0\0\0\x01\0\0\x003/;
    expect(location.test(before.toString('latin1'))).toBe(true);
    expect(location.test(bytes.toString('latin1'))).toBe(false);
    expect(bytes.includes('GPSLatitude')).toBe(false);
    expect([is.width, is.height, is.exif?.includes('Camera')]).toEqual([was.width, was.height, was.exif && true]);
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer());
  });

  test('is searched in bounded time in a file that consists of TIFF headers', () => {
    const bytes = Buffer.alloc(4_000_000);
    for (let at = 0; at < bytes.length; at += 16) bytes.write('II*\0\x08\0\0\0\xff\xff', at, 'latin1');
    removeLocations(bytes);
    expect(bytes.length).toBe(4_000_000);
  });
});
