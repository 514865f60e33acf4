import { expect, test } from '@jest/globals';
import { exactFirst } from '../src/layout/exact.ts';

const call = '5b1c7a52-90cb-4f4e-8d1a-6b1a0c4f2d11';
const found = [
  { is: 'person', names: ['112', 'awa12@example.com', '+228 90 11 22 33'] },
  { is: 'call', names: [call] },
  { is: 'deposit', names: ['12', null, null] },
  { is: 'withdrawal', names: ['7', 'BANK-12', '+22890445566'] },
];

test.each([
  ['a number', '12', 'deposit'],
  ['a call', call.toUpperCase(), 'call'],
  ['an account in another notation', '+228 90-44-55-66', 'withdrawal'],
  ['a reference', 'bank-12', 'withdrawal'],
  ['an e-mail address', 'AWA12@example.com', 'person'],
  ['a text without an exact match', '1', 'person'],
  ['a text of only punctuation', '--', 'person'],
])('exact matches come first: %s, %s', (_case, text, first) => {
  const hits = exactFirst(text, found);
  expect(hits[0]?.is).toBe(first);
  expect(hits.map(({ is }) => is).sort()).toEqual(found.map(({ is }) => is).sort());
});
