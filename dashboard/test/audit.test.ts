import { expect, test } from '@jest/globals';
import { isMoney } from '../src/audit/difference.ts';

test.each([
  ['an amount', { before: null, after: { amount: 5_000, currency: 'XOF' } }, 'amount', true],
  ['what goes back for a call', { before: { refunded: 0 }, after: { refunded: 150 } }, 'refunded', true],
  ['the price of a step', { before: { iterator_cost: 1 }, after: { iterator_cost: 2 } }, 'iterator_cost', true],
  ['a setting that is an amount', { before: null, after: { name: 'min_deposit', value: 100 } }, 'value', true],
  ['a setting that is none', { before: null, after: { name: 'commission_percent', value: 15 } }, 'value', false],
  ['a deleted setting', { before: { name: 'min_withdrawal', value: 1 }, after: null }, 'value', true],
  ['seconds', { before: null, after: { iterator: 60 } }, 'iterator', false],
])('%s: whether it is written as money', (_case, entry, field, expected) => {
  expect(isMoney(entry, field)).toBe(expected);
});
