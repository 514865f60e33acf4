import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { renderInChild } from '../kit/files/images.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-images-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const to = () => join(folder, 'made');

describe('the child process for a large image', () => {
  test('reports a large image as heavy, and renders it as a heavy one', async () => {
    const from = join(folder, 'large.jpeg');
    const flat = sharp({ create: { width: 6_000, height: 6_000, channels: 4, background: '#0f08' } });
    await flat.withMetadata({ orientation: 6 }).jpeg().toFile(from);
    const job = { from, to: to(), contentType: 'image/jpeg' };
    expect(await renderInChild(job, 60_000)).toEqual({ isHeavy: true });
    const picture = { contentType: 'image/jpeg', width: 6_000, height: 6_000 };
    expect(await renderInChild({ ...job, isHeavy: true }, 60_000)).toEqual({ picture });
  });

  test('scales a very large image down', async () => {
    const from = join(folder, 'huge.jpeg');
    const huge = sharp({ create: { width: 9_000, height: 8_000, channels: 3, background: '#0f0' } });
    await huge.withMetadata({ orientation: 6 }).jpeg().toFile(from);
    const outcome = await renderInChild({ from, to: to(), contentType: 'image/jpeg', isHeavy: true }, 60_000);
    const { width, height } = await sharp(to()).metadata();
    expect(outcome).toEqual({ picture: { contentType: 'image/jpeg', width, height } });
    // Turned upright.
    expect([width < height, width * height <= 4_096 ** 2]).toEqual([true, true]);
  });

  test('ends when the image takes too much memory', async () => {
    const from = join(folder, 'large.png');
    const depth = sharp({ create: { width: 8_000, height: 8_000, channels: 4, background: '#0f08' } });
    await depth.toColourspace('rgb16').png({ compressionLevel: 1, progressive: true }).toFile(from);
    const job = { from, to: to(), contentType: 'image/png', isHeavy: true };
    expect(await renderInChild(job, 600_000)).toEqual({});
  });
});
