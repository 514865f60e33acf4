import { describe, expect, test } from '@jest/globals';
import type { DisputeRow, DisputeStatus } from '../src/disputes/dispute.ts';
import {
  claimDifference,
  disputeEffect,
  disputeMove,
  splitRecovery,
  splitReturn,
  splitTaking,
} from '../src/disputes/dispute-move.ts';
import { callsPaidBy, type SpentLine } from '../src/disputes/evidence.ts';
import { refundable, refundMove, type RefundEvent, type RefundStatus } from '../src/deposit-refunds/deposit-refund.ts';
import { refundReport } from '../src/deposit-refunds/provider-refund-service.ts';
import { exceededBound, isOwnPayment, largestDeposit } from '../src/deposits/deposit.ts';

const STATUSES: DisputeStatus[] = ['inquiry', 'needs_response', 'under_review', 'lost', 'won'];

describe('disputeMove', () => {
  const reason = 'fraudulent';
  /** By the present status, the result for each reported status in the order of `STATUSES`. `!`: if it is current. */
  test.each<[DisputeStatus | undefined, string]>([
    [undefined, 'move move move move move'],
    ['inquiry', 'none move move move move'],
    ['needs_response', 'none none move move move'],
    ['under_review', 'none none none move move'],
    ['lost', 'none none none none move'],
    ['won', 'none none! none! contradiction none'],
  ])('from %s', (from, results) => {
    for (const [index, word] of results.split(' ').entries()) {
      const to = STATUSES[index]!;
      const [late, current] = word.endsWith('!') ? [word.slice(0, -1), 'contradiction'] : [word, word];
      expect([to, disputeMove(from, to, { isCurrent: false, reason })]).toEqual([to, late]);
      expect([to, disputeMove(from, to, { isCurrent: true, reason })]).toEqual([to, current]);
    }
  });

  test('the success of a refund may be reported after its failure', () => {
    const late = (isCurrent: boolean) => disputeMove('won', 'lost', { isCurrent, reason: 'refund' });
    expect([late(false), late(true)]).toEqual(['none', 'contradiction']);
  });

  test('every order of any reports ends in the same status', () => {
    const orders = (list: DisputeStatus[]): DisputeStatus[][] =>
      list.length < 2 ? [list] : list.flatMap((one, i) => orders(list.toSpliced(i, 1)).map((rest) => [one, ...rest]));
    const subsets = Array.from({ length: 2 ** STATUSES.length - 1 }, (_, set) =>
      STATUSES.filter((_status, bit) => (set + 1) & (1 << bit)),
    );
    for (const subset of subsets) {
      const ends = orders(subset).map((order) =>
        [...order, ...order].reduce<DisputeStatus | undefined>(
          (from, to) => (disputeMove(from, to, { isCurrent: false, reason }) === 'move' ? to : from),
          undefined,
        ),
      );
      expect([...new Set(ends)]).toEqual([STATUSES.findLast((status) => subset.includes(status))]);
    }
  });
});

describe('disputeEffect', () => {
  const taken = { taken_at: 'then', returned_at: null };
  const over = { taken_at: 'then', returned_at: 'now' };
  const untouched = { taken_at: null, returned_at: null };
  /** The effects by status, in the order of `STATUSES`. */
  test.each([
    ['untouched, before the credit', untouched, false, 'none none none none none'],
    ['untouched, after the credit', untouched, true, 'none take take take none'],
    ['taken', taken, true, 'none none none none return'],
    ['returned', over, true, 'none none none none none'],
  ] as const)('%s', (_name, money, isCredited, effects) => {
    expect(STATUSES.map((status) => disputeEffect({ ...money, status }, isCredited))).toEqual(effects.split(' '));
  });
});

test.each([
  [5_000, 5_000, 5_000, 0],
  [5_000, 9_000, 5_000, 0],
  [5_000, 2_000, 2_000, 3_000],
  [5_000, 0, 0, 5_000],
])('of a dispute of %d with %d available %d are taken and %d lost', (amount, available, taken, lost) => {
  expect(splitTaking(amount, available)).toEqual({ taken, lost });
});

test.each([
  ['nothing owed', { taken: 5_000, owed: 0, recovered: 0, written_off: 0 }, 0, 5_000],
  ['a debt', { taken: 2_000, owed: 3_000, recovered: 0, written_off: 0 }, 3_000, 2_000],
  ['a debt paid in part', { taken: 2_000, owed: 1_000, recovered: 2_000, written_off: 0 }, 1_000, 4_000],
  ['a debt written off', { taken: 2_000, owed: 0, recovered: 500, written_off: 2_500 }, 2_500, 2_500],
])('what a won dispute gives back with %s', (_name, dispute, toPlatform, toStudent) => {
  expect(splitReturn(dispute)).toEqual({ toPlatform, toStudent });
});

test.each<[number, number[]]>([
  [0, []],
  [50, [50]],
  [100, [100]],
  [150, [100, 50]],
  [900, [100, 200]],
])('a credit of %d pays debts of 100 and 200 in their order', (amount, parts) => {
  const recovered = splitRecovery([{ owed: 100 }, { owed: 200 }], amount);
  expect(recovered.map(({ part }) => part)).toEqual(parts);
});

test.each<[string, Partial<Parameters<typeof claimDifference>[0]>, Pick<DisputeRow, 'amount'> | undefined, unknown]>([
  ['the whole deposit', { amount: 5_000, currency: 'xof' }, undefined, undefined],
  ['a part', { amount: 1, currency: 'XOF' }, undefined, undefined],
  ['no amount', {}, { amount: 700 }, undefined],
  ['more than the deposit', { amount: 5_001 }, undefined, 'amount'],
  ['another currency', { amount: 5_000, currency: 'eur' }, undefined, 'amount'],
  ['another amount than before', { amount: 4_000 }, { amount: 5_000 }, 'amount'],
  ['an unknown status', { amount: 5_000, status: undefined }, undefined, 'status'],
])('a claim of %s', (_name, claim, known, difference) => {
  const deposit = { amount: 5_000, currency: 'XOF' };
  const whole = { status: 'lost' as const, ...claim } as Parameters<typeof claimDifference>[0];
  expect(claimDifference(whole, deposit, known)).toBe(difference);
});

const REFUND_STATUSES: RefundStatus[] = ['requested', 'sent', 'success', 'failed', 'canceled', 'rejected'];

test.each<[RefundEvent, string]>([
  ['send', 'sent/keep - - - - -'],
  ['reject', 'rejected/release - - - - -'],
  ['cancel', 'canceled/release - - - - -'],
  ['success', '- success/capture - - - -'],
  ['failed', '- failed/release - - - -'],
  ['returned', '- failed/release failed/return - - -'],
])('the event %s in each status of a refund', (event, moves) => {
  const found = REFUND_STATUSES.map((from) => {
    const move = refundMove(from, event);
    return move ? `${move.to}/${move.effect}` : '-';
  });
  expect(found.join(' ')).toBe(moves);
});

test.each([
  ['pending', 'contradiction none none contradiction contradiction contradiction'],
  ['success', 'contradiction success none contradiction contradiction contradiction'],
  ['failed', 'none returned returned none none none'],
] as const)('the word %s of a provider in each status of a refund', (outcome, results) => {
  expect(REFUND_STATUSES.map((status) => refundReport(status, outcome)).join(' ')).toBe(results);
});

test('open and successful refunds and disputes leave the rest of a deposit to refund', () => {
  expect(refundable({ amount: 5_000, refunded: 1_000, disputed: 1_500 })).toBe(2_500);
  expect(refundable({ amount: 5_000, refunded: 4_000, disputed: 1_500 })).toBe(0);
});

test.each([
  ['its key', { key: 'k' }, true],
  ['its id', { ref: 'r' }, true],
  ['another key', { key: 'x' }, false],
  ['another id', { ref: 'x' }, false],
  ['nothing', {}, false],
])('a payment with %s', (_name, payment, isOwn) => {
  expect(isOwnPayment({ provider_ref: 'r', payment_key: 'k' }, payment)).toBe(isOwn);
  expect(isOwnPayment({ provider_ref: null, payment_key: null }, payment)).toBe(false);
});

test.each([
  [0, 0, Infinity],
  [1_000, 0, 600],
  [0, 1_000, 200],
  [1_000, 1_000, 200],
  [300, 0, -100],
])('with the bounds %d and %d a deposit may have %d', (max_balance, max_deposits_month, largest) => {
  expect(largestDeposit({ balance: 300, open: 100, month: 700 }, { max_balance, max_deposits_month })).toBe(largest);
});

test('a credit passes a bound when the balance or the month is above it', () => {
  const totals = { balance: 500, month: 900 };
  expect(exceededBound(totals, { max_balance: 500, max_deposits_month: 900 })).toBeUndefined();
  expect(exceededBound(totals, { max_balance: 0, max_deposits_month: 800 })).toEqual({
    bound: 'max_deposits_month',
    limit: 800,
    reached: 900,
  });
});

describe('callsPaidBy', () => {
  const line = (direction: 'in' | 'out', amount: number, of: Partial<SpentLine> = {}): SpentLine => ({
    direction,
    amount,
    deposit_id: null,
    call_identifier: null,
    ...of,
  });
  const lines = [
    line('in', 1_000, { deposit_id: 1 }),
    line('in', 500, { deposit_id: 2 }),
    line('out', 700, { call_identifier: 'a' }),
    line('out', 400, { call_identifier: 'b' }),
    line('in', 100, { call_identifier: 'a' }),
    line('out', 500, { call_identifier: 'c' }),
  ];

  test('spends the oldest money first', () => {
    expect([...callsPaidBy(lines, 1)]).toEqual([
      ['a', 700],
      ['b', 300],
    ]);
    expect([...callsPaidBy(lines, 2)]).toEqual([
      ['b', 100],
      ['c', 400],
    ]);
  });

  test('takes a reversed deposit out of its own money', () => {
    const reversed = [lines[0]!, lines[1]!, line('out', 500, { deposit_id: 2 }), lines[2]!];
    expect([...callsPaidBy(reversed, 1)]).toEqual([['a', 700]]);
    expect([...callsPaidBy(reversed, 2)]).toEqual([]);
  });
});
