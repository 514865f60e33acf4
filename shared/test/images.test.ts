import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { renderInChild } from '../kit/files/images.ts';
import { eventually } from '../testing/wait.ts';

let folder: string;
/** A pipe that is open for writing, but never written to: reading it never ends. */
let endless: string;
let writer: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-test-'));
  endless = join(folder, 'endless');
  execFileSync('mkfifo', [endless]);
  writer = await open(endless, 'r+');
});
afterAll(async () => {
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

const to = () => join(folder, 'made');
const flat = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#0f08' } }).withMetadata({ orientation: 6 });

describe('the child process for an image', () => {
  test('renders the image', async () => {
    const from = join(folder, 'small.png');
    await flat(40).png().toFile(from);
    const picture = { contentType: 'image/webp', width: 40, height: 40 };
    expect(await renderInChild({ from, to: to(), contentType: 'image/webp' }, 60_000)).toEqual({ picture });
    expect((await sharp(to()).metadata()).format).toBe('webp');
  });

  test('refuses an image with more rows than browsers show', async () => {
    const from = join(folder, 'thin.png');
    await sharp({ create: { width: 1, height: 70_000, channels: 3, background: '#f00' } })
      .png()
      .toFile(from);
    expect(await renderInChild({ from, to: to(), contentType: 'image/png' }, 60_000)).toEqual({});
  });

  test('is killed after its timeout', async () => {
    expect(await renderInChild({ from: endless, to: to(), side: 8 }, 2_000)).toEqual({});
  });

  test('throws when the disk is full, instead of blaming the image', async () => {
    const from = join(folder, 'small.jpeg');
    await flat(40).jpeg().toFile(from);
    await expect(renderInChild({ from, to: '/dev/full', side: 8 }, 60_000)).rejects.toThrow(/no space left/i);
  });

  test('ends with its parent process, even when that is killed', async () => {
    const module = new URL('../kit/files/images.ts', import.meta.url).href;
    const job = JSON.stringify({ from: endless, to: to(), side: 8 });
    const code = `(await import(${JSON.stringify(module)})).renderInChild(${job}, 600_000)`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
    const childOf = async () => {
      const { stdout } = await promisify(execFile)('pgrep', ['-P', String(parent.pid)]).catch(() => ({ stdout: '' }));
      return Number(stdout);
    };
    await eventually('the image is begun', async () => (await childOf()) > 0);
    const child = await childOf();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await eventually('it has ended', () => {
      try {
        return !process.kill(child, 0);
      } catch {
        return true;
      }
    });
  });
});
