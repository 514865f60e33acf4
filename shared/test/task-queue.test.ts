import { describe, expect, test } from '@jest/globals';
import { createTaskQueue, type TaskOptions } from '../kit/task-queue.ts';

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

  /** Tasks of a queue that limits no account; the test finishes them in the order of their start. */
  function createWorkshop(atOnce: number, maxWaiting?: number) {
    const began: string[] = [];
    const gates: (() => void)[] = [];
    const busy = () => new Error('busy');
    const run = createTaskQueue({
      ...{ atOnce, perAccount: atOnce, refusal: busy },
      ...(maxWaiting !== undefined && { maxWaiting }),
    });
    const work = (account: string, network: string) =>
      run({ account, network }, async () => {
        began.push(account);
        await new Promise<void>((resolve) => gates.push(resolve));
      });
    const finishAll = async () => {
      while (gates.length > 0) {
        gates.shift()!();
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { work, began, finishAll };
  }

  test('serves networks and their accounts in turn when an account may have several tasks running', async () => {
    const { work, began, finishAll } = createWorkshop(2);
    const tasks = ['a', 'a', 'a', 'a', 'a', 'b'].map((account) => work(account, 'one'));
    tasks.push(work('c', 'two'), work('c', 'two'), work('d', 'three'));
    await Promise.resolve();
    await finishAll();
    await Promise.all(tasks);
    expect(began).toEqual(['a', 'a', 'c', 'd', 'c', 'b', 'a', 'a', 'a']);
  });

  test('rejects the last task of the network with the most waiting tasks when too many wait', async () => {
    const { work, began, finishAll } = createWorkshop(1, 3);
    const first = work('a', 'one');
    const crowd = [work('a', 'one'), work('a', 'one'), work('b', 'one')];
    const rejected = expect(crowd[1]).rejects.toThrow('busy');
    const newcomer = work('c', 'two');
    await rejected;
    await expect(work('d', 'one')).rejects.toThrow('busy');
    await finishAll();
    await Promise.all([first, crowd[0], crowd[2], newcomer]);
    expect(began).toEqual(['a', 'c', 'b', 'a']);
  });

  test('forgets clients that have left, even if the queue is never idle', async () => {
    const { work, began, finishAll } = createWorkshop(1);
    const tasks = Array.from({ length: 2_500 }, (_, index) => work(`n${index}`, `n${index}`));
    const regular = work('n0', 'n0');
    await Promise.resolve();
    await finishAll();
    await Promise.all([...tasks, regular]);
    expect(began).toHaveLength(2_501);
  });
});
