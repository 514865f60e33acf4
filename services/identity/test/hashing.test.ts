import { describe, expect, test } from '@jest/globals';
import { createFairQueue } from '../src/credentials/fair-queue.ts';
import { holdHashing } from './hold-hashing.ts';
import { PASSWORD, startIdentity } from './identity.ts';

const from = (address: string) => ({ 'x-client-address': address });

test('fifty concurrent wrong passwords on one account lock nobody else out', async () => {
  const service = await startIdentity();
  try {
    const [flooder, ...others] = await Promise.all(Array.from({ length: 9 }, () => service.user()));
    const wrong = { password: 'another password', current_password: 'wrong password' };
    const release = await holdHashing();
    const flood = Array.from({ length: 60 }, () => flooder!.api.put('/api/me', wrong, from('203.0.113.7')));
    const logins = others.flatMap(({ email }) =>
      ['203.0.113.7', '198.51.100.7'].map((address) =>
        service.api.anonymous.post('/api/auth/login', { email, password: PASSWORD }, from(address)),
      ),
    );
    const refused = await Promise.any(flood).finally(release);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(logins.map(() => 200));
    const answers = await Promise.all(flood);
    for (const { status } of answers) expect([422, 503]).toContain(status);
  } finally {
    await service.end();
  }
});

describe('the fair queue', () => {
  /** Tasks that the test finishes one by one, in the order of their start. */
  function workshop(atOnce: number, room: number) {
    const run = createFairQueue(atOnce, room);
    const began: string[] = [];
    const gates: (() => void)[] = [];
    const work = (account: string, network: string) =>
      run({ account, network }, async () => {
        began.push(account);
        await new Promise<void>((resolve) => gates.push(resolve));
      });
    const finish = async () => {
      gates.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { work, began, gates, finish };
  }

  test('a fair queue runs two tasks at a time, round robin over networks and their accounts', async () => {
    const { work, began, gates, finish } = workshop(2, 50);
    const jobs = ['a', 'a', 'a', 'a', 'a', 'b'].map((account) => work(account, 'one'));
    jobs.push(work('c', 'two'), work('c', 'two'), work('d', 'three'));
    expect(began).toEqual(['a', 'a']);
    while (gates.length > 0) await finish();
    await Promise.all(jobs);
    expect(began).toEqual(['a', 'a', 'a', 'c', 'd', 'b', 'c', 'a', 'a']);
  });

  test('a full queue refuses the last task of the network with the most waiting tasks, with Retry-After', async () => {
    const { work, began, gates, finish } = workshop(1, 3);
    const busy = { code: 'unavailable', retryAfter: 1 };
    const first = work('a', 'one');
    const crowd = [work('a', 'one'), work('a', 'one'), work('b', 'one')];
    const refused = expect(crowd[1]).rejects.toMatchObject(busy);
    const newcomer = work('c', 'two');
    await refused;
    await expect(work('d', 'one')).rejects.toMatchObject(busy);
    while (gates.length > 0) await finish();
    await Promise.all([first, crowd[0], crowd[2], newcomer]);
    expect(began).toEqual(['a', 'a', 'c', 'b']);
  });
});
