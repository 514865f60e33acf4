import { expect, test } from '@jest/globals';
import { createShares } from '../kit/shares.ts';

/** How many shares a holder gets. */
const most = (take: () => unknown) => {
  let count = 0;
  while (take()) count += 1;
  return count;
};

test.each([
  ['one network gets half', [50]],
  ['each further network gets half of the rest', [50, 25, 12, 6, 3, 2, 1, 1]],
])('of a total of a hundred, %s', (_what, expected) => {
  const shares = createShares(100);
  const got = expected.map((_count, n) => most(() => shares.take(1, { network: `10.0.${n}.0/24` })));
  expect(got).toEqual(expected);
  expect(got.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(100);
});

test('a person gets no more than the limit per person, even if the network has more', () => {
  const shares = createShares(100, 10);
  const taken = (person: string) => most(() => shares.take(1, { network: 'a', person }));
  expect(['user:1', 'user:2', 'user:3', 'user:4', 'user:5', 'user:6'].map(taken)).toEqual([10, 10, 10, 10, 10, 0]);
});

test('a first share may exceed the limits of its holder, but not the total', () => {
  const shares = createShares(100, 10);
  expect(shares.take(80, { network: 'a', person: 'user:1' })).toBeDefined();
  expect(shares.take(1, { network: 'a', person: 'user:1' })).toBeUndefined();
  expect(shares.take(21, { network: 'b' })).toBeUndefined();
  expect(shares.take(20, { network: 'b' })).toBeDefined();
});

test('a single network cannot make the total scarce, several can', () => {
  const shares = createShares(100);
  expect([most(() => shares.take(1, { network: 'a' })), shares.isScarce()]).toEqual([50, false]);
  expect([most(() => shares.take(1, { network: 'b' })), shares.isScarce()]).toEqual([25, false]);
  expect(shares.take(1, { network: 'c' })).toBeDefined();
  expect(shares.isScarce()).toBe(true);
});

test('a released share is available to others', () => {
  const shares = createShares(2);
  const release = shares.take(1, { network: 'a', person: 'user:1' });
  expect(shares.take(1, { network: 'a' })).toBeUndefined();
  release?.();
  expect(shares.take(2, { network: 'b' })).toBeDefined();
});
