import { expect, test } from '@jest/globals';
import { countsOf, sortedRows, statesBefore, statesOf, type Results } from '../src/payouts/payout.ts';

const row = (line: number, verdict: Results['rows'][number]['verdict']) => ({
  ...{ line, verdict, item_id: null, provider_ref: null, message: null },
});

test('the lines of results are sorted so that a person sees first what needs one', () => {
  const rows = [row(2, 'paid'), row(3, 'already'), row(4, 'uncertain'), row(5, 'paid'), row(6, 'uncertain')];
  expect(sortedRows({ rows }).map(({ line }) => line)).toEqual([4, 6, 3, 2, 5]);
});

test('only the verdicts and states that there are have a number', () => {
  const none = { already: 0, amount_differs: 0, repeated: 0, unknown_reference: 0, unreadable: 0, uncertain: 0 };
  expect(countsOf({ counts: { ...none, failed: 2, paid: 40 } })).toEqual([
    ['failed', 2],
    ['paid', 40],
  ]);
  const items = { waiting: 0, sent: 3, paid: 1, failed: 0, uncertain: 2, removed: 0, returned: 0 };
  expect(statesOf({ items })).toEqual([
    ['uncertain', 2],
    ['sent', 3],
    ['paid', 1],
  ]);
});

test('what a provider may still be paying is not settled by hand', () => {
  expect(statesBefore('paid', { format: 'csv' })).toEqual(['sent', 'uncertain']);
  for (const settlement of ['paid', 'failed'] as const)
    expect(statesBefore(settlement, { format: 'provider' })).toEqual(['uncertain']);
  expect(statesBefore('returned', { format: 'provider' })).toEqual(['paid']);
});
