import { expect, test } from '@jest/globals';
import { isMoney } from '../src/audit/difference.ts';

test.each([
  ['an amount', { before: null, after: { amount: 5_000, currency: 'XOF' } }, 'amount', true],
  ['a refund of a call', { before: { refunded: 0 }, after: { refunded: 150 } }, 'refunded', true],
  ['the price of a step', { before: { iterator_cost: 1 }, after: { iterator_cost: 2 } }, 'iterator_cost', true],
  ['a setting that is an amount', { before: null, after: { name: 'min_deposit', value: 100 } }, 'value', true],
  ['a setting that is no amount', { before: null, after: { name: 'commission_percent', value: 15 } }, 'value', false],
  ['a deleted setting', { before: { name: 'min_withdrawal', value: 1 }, after: null }, 'value', true],
  ['a number of seconds', { before: null, after: { iterator: 60 } }, 'iterator', false],
])('the audit log formats the right fields as money: %s', (_case, entry, field, expected) => {
  expect(isMoney(entry, field)).toBe(expected);
});
