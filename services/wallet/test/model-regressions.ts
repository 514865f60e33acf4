import type { Command } from './model.ts';

/**
 * Runs that failed once, or easily could; they run before the random ones. Add each shrunk run that a failure prints.
 */
export const REGRESSIONS: Command[][] = [
  // The next charge opens an expired hold again, and its release frees exactly that amount.
  [
    { do: 'deposit', student: 0, amount: 400 },
    { do: 'provider', deposit: 0, outcome: 'succeeded' },
    { do: 'hold', call: 0, amount: 300 },
    { do: 'expire' },
    { do: 'charge', call: 0, again: false, amount: 150, percent: 33, next: 120 },
    { do: 'die', during: [], death: { of: 'messages', count: 1, when: 'before' } },
    { do: 'charge', call: 0, again: true, amount: 150, percent: 33, next: 120 },
    { do: 'release', call: 0 },
    { do: 'charge', call: 0, again: false, amount: 100, percent: 33, next: 120 },
    { do: 'refund', call: 0, amount: 200 },
    { do: 'repeat last' },
  ],
  // A hold request repeated after the expiry opens the hold again.
  [
    { do: 'deposit', student: 1, amount: 44 },
    { do: 'provider', deposit: 0, outcome: 'succeeded' },
    { do: 'charge', call: 3, again: false, amount: 1, percent: 0, next: 30 },
    { do: 'hold', call: 3, amount: 1 },
    { do: 'expire' },
    { do: 'repeat last' },
    { do: 'expire' },
    { do: 'charge', call: 3, again: false, amount: 40, percent: 0, next: 0 },
    { do: 'hold', call: 3, amount: 100 },
    { do: 'repeat last' },
  ],
  // Steps charged between refunds change the commission rate; the last refund still leaves nothing.
  [
    { do: 'deposit', student: 1, amount: 151 },
    { do: 'provider', deposit: 0, outcome: 'succeeded' },
    { do: 'charge', call: 3, again: false, amount: 41, percent: 0, next: 0 },
    { do: 'charge', call: 3, again: false, amount: 95, percent: 33, next: 0 },
    { do: 'refund', call: 3, amount: 81 },
    { do: 'charge', call: 3, again: false, amount: 13, percent: 0, next: 0 },
    { do: 'refund', call: 3, amount: 1 },
    { do: 'charge', call: 3, again: false, amount: 50, percent: 100, next: 0 },
    { do: 'refund', call: 3, amount: 1 },
    { do: 'refund', call: 3, amount: 116 },
  ],
  // A deposit that an administrator reversed is not paid again by the provider; a withdrawal takes every transition.
  [
    { do: 'deposit', student: 1, amount: 400 },
    { do: 'provider', deposit: 0, outcome: 'failed' },
    { do: 'provider', deposit: 0, outcome: 'succeeded' },
    { do: 'decide deposit', deposit: 0, status: 'canceled' },
    { do: 'provider', deposit: 0, outcome: 'succeeded' },
    { do: 'decide deposit', deposit: 0, status: 'success' },
    { do: 'charge', call: 1, again: false, amount: 150, percent: 0, next: 0 },
    { do: 'withdraw', teacher: 0, amount: 100 },
    { do: 'decide withdrawal', withdrawal: 0, status: 'success' },
    { do: 'decide withdrawal', withdrawal: 0, status: 'pending' },
    { do: 'decide withdrawal', withdrawal: 0, status: 'failed' },
    { do: 'withdraw', teacher: 0, amount: 120 },
    { do: 'decide withdrawal', withdrawal: 0, status: 'success' },
    { do: 'cancel withdrawal', withdrawal: 1 },
    { do: 'decide withdrawal', withdrawal: 0, status: 'success' },
    { do: 'refund', call: 1, amount: 150 },
  ],
];
