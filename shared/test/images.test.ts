import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { renderInChild } from '../kit/files/images.ts';
import { createTaskQueue, type TaskOptions } from '../kit/task-queue.ts';
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

describe('the fair queue', () => {
  /** Tasks that the test ends, and the order in which they began. */
  function createQueue(waitMs = 600_000, optionsOf = (name: string): TaskOptions => ({ account: name[0]! })) {
    const run = createTaskQueue({ atOnce: 2, heavyAtOnce: 1, waitMs, refusal: () => new Error('busy') });
    const began: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (name: string) =>
      run(optionsOf(name), async () => {
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

  test('runs one task per account at a time, and then serves other accounts first', async () => {
    const { work, began, finish } = createQueue();
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

  const inNetwork = (name: string): TaskOptions => ({ account: name, network: name[0]! });
  test('gives a network with many accounts one slot while other networks wait', async () => {
    const { work, began, finish } = createQueue(600_000, inNetwork);
    const tasks = ['n1', 'n2', 'n3', 'n4', 'm1', 'o1'].map(work);
    await finish('n1');
    expect(began).toEqual(['n1', 'n2', 'm1']);
    await finish('m1');
    expect(began).toEqual(['n1', 'n2', 'm1', 'o1']);
    for (const name of ['n2', 'o1', 'n3', 'n4']) await finish(name);
    await Promise.all(tasks);
    expect(began.slice(4)).toEqual(['n3', 'n4']);
  });

  test('runs one heavy task at a time, next to light ones, and charges it a higher cost', async () => {
    const { work, began, finish } = createQueue(600_000, (name) => ({
      account: name[0]!,
      ...(name.endsWith('!') && { isHeavy: true, cost: 10 }),
    }));
    const tasks = ['a1!', 'b1!', 'c1', 'a2', 'd1'].map(work);
    await finish('c1');
    await finish('d1');
    expect(began).toEqual(['a1!', 'c1', 'd1']);
    await finish('a1!');
    expect(began.slice(3).sort()).toEqual(['a2', 'b1!']);
    await finish('a2');
    await finish('b1!');
    await Promise.all(tasks);
  });

  test('rejects a task that has waited too long, and continues with the next', async () => {
    const { work, began, finish } = createQueue(1);
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
