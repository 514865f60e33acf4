import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { renderApart } from '../src/files/images.ts';
import { createTurns } from '../src/turns.ts';
import { eventually } from '../src/testing/wait.ts';

let folder: string;
/** An image that never ends: nobody writes to it, and somebody could. */
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

describe('the process of an image', () => {
  test('writes it anew', async () => {
    const from = join(folder, 'small.png');
    await flat(40).png().toFile(from);
    const picture = { contentType: 'image/webp', width: 40, height: 40 };
    expect(await renderApart({ from, to: to(), contentType: 'image/webp' }, 60_000)).toEqual({ picture });
    expect((await sharp(to()).metadata()).format).toBe('webp');
  });

  test('is killed when it is too slow', async () => {
    expect(await renderApart({ from: endless, to: to(), side: 8 }, 2_000)).toEqual({});
  });

  test('ends when the image takes too much memory', async () => {
    const from = join(folder, 'large.png');
    await flat(8_000).png({ compressionLevel: 1 }).toFile(from);
    expect(await renderApart({ from, to: to(), contentType: 'image/webp' }, 600_000)).toBeUndefined();
  });

  test('that cannot do its work is not the fault of the image', async () => {
    const from = join(folder, 'small.jpeg');
    await flat(40).jpeg().toFile(from);
    await expect(renderApart({ from, to: '/dev/full', side: 8 }, 60_000)).rejects.toThrow(/no space left/i);
  });

  test('ends with the process that started it, also when that is killed', async () => {
    const module = new URL('../src/files/images.ts', import.meta.url).href;
    const job = JSON.stringify({ from: endless, to: to(), side: 8 });
    const code = `(await import(${JSON.stringify(module)})).renderApart(${job}, 600_000)`;
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

describe('turns', () => {
  /** Tasks that end when the test says so, in the order in which they began. */
  function workshop(waitMs = 600_000) {
    const run = createTurns({ atOnce: 2, waitMs, refusal: () => new Error('busy') });
    const began: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (name: string) =>
      run({ account: name[0]! }, async () => {
        began.push(name);
        await new Promise<void>((resolve) => gates.set(name, resolve));
      });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const finish = async (name: string) => {
      await settled();
      gates.get(name)!();
      await settled();
    };
    return { work, began, finish };
  }

  test('an account has one task at a time, and then goes to the end of the line', async () => {
    const { work, began, finish } = workshop();
    const tasks = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].map(work);
    await finish('b1');
    expect(began).toEqual(['a1', 'b1', 'c1']);
    await finish('a1');
    tasks.push(work('c2'));
    await finish('c1');
    await finish('d1');
    expect(began).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'c2']);
    await finish('a2');
    await finish('c2');
    await finish('a3');
    await Promise.all(tasks);
  });

  test('who waits for too long is refused, and the next goes on', async () => {
    const { work, began, finish } = workshop(1);
    const running = [work('a1'), work('b1')];
    await expect(Promise.all([work('a2')])).rejects.toThrow('busy');
    await expect(work('c1')).rejects.toThrow('busy');
    await finish('a1');
    const late = work('a3');
    await finish('a3');
    await finish('b1');
    await Promise.all([...running, late]);
    expect(began).toEqual(['a1', 'b1', 'a3']);
  });
});
