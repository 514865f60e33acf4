import { describe, expect, test } from '@jest/globals';
import { BATCH_STATUSES, ITEM_STATUSES } from '@tutoring/shared/contract/payout';
import {
  BATCH_MOVES,
  exclusionOf,
  HEARD,
  ITEM_MOVES,
  mayCheck,
  needsChecker,
  OPEN_ITEMS,
  PROVIDER_WORDS,
  REPORTED,
  REPORTS,
  requestAbout,
  WITHDRAWAL_OF,
  type BatchEvent,
  type ItemEvent,
  type ProviderWord,
} from '../src/batches/batch-move.ts';
import { ibanOf, isFormula, isSafeInCell, isWritable, mobileOf } from '../src/payout-methods/account-number.ts';
import { decimalAmount } from '../src/batches/payout-file.ts';
import { nextAge, stored, wordOf, type Answer } from '../src/batches/provider-word.ts';
import { lacksChecker } from '../src/withdrawals/withdrawal.ts';
import { iban } from './payouts.ts';

const ITEM_EVENTS: ItemEvent[] = ['export', 'remove', 'paid', 'failed', 'uncertain', 'returned'];
const BATCH_EVENTS: BatchEvent[] = ['approve', 'export', 'close', 'cancel'];

/** Every state times every event, as the specification lists them; everything else is refused. */
const ITEM_TABLE = [
  'waiting export sent',
  'waiting remove removed',
  'sent paid paid',
  'sent failed failed',
  'sent uncertain uncertain',
  'paid returned returned',
  'uncertain paid paid',
  'uncertain failed failed',
];
const BATCH_TABLE = [
  'draft approve approved',
  'draft cancel canceled',
  'approved export exported',
  'approved cancel canceled',
  'exported close closed',
];

test('an item moves as its table says, and in no other way', () => {
  const moves = ITEM_STATUSES.flatMap((from) =>
    ITEM_EVENTS.flatMap((event) => (ITEM_MOVES[from][event] ? [`${from} ${event} ${ITEM_MOVES[from][event]}`] : [])),
  );
  expect(moves).toEqual(ITEM_TABLE);
});

test('a batch moves as its table says, and in no other way', () => {
  const moves = BATCH_STATUSES.flatMap((from) =>
    BATCH_EVENTS.flatMap((event) => (BATCH_MOVES[from][event] ? [`${from} ${event} ${BATCH_MOVES[from][event]}`] : [])),
  );
  expect(moves).toEqual(BATCH_TABLE);
});

test('the money of an open item is held, of a paid one captured, of any other released', () => {
  const moneyOf = { pending: 'held', initiated: 'held', success: 'captured', failed: 'released', canceled: 'released' };
  expect(Object.fromEntries(ITEM_STATUSES.map((status) => [status, moneyOf[WITHDRAWAL_OF[status]]]))).toEqual({
    waiting: 'held',
    sent: 'held',
    uncertain: 'held',
    removed: 'held',
    paid: 'captured',
    failed: 'released',
    returned: 'released',
  });
  for (const status of OPEN_ITEMS) expect(WITHDRAWAL_OF[status]).toBe('pending');
});

/** Every state times every word of a provider, with what is not in the list doing nothing. */
const HEARD_TABLE = [
  'waiting paid - status',
  'sent paid paid -',
  'sent failed failed -',
  'sent returned paid,returned returned',
  'sent unknown uncertain -',
  'paid failed - status',
  'paid returned returned returned',
  'failed paid - status',
  'uncertain paid paid -',
  'uncertain failed - status',
  'uncertain returned - returned',
  'removed paid - status',
];

test("a provider's word does what its table says, and moves only as the table of items allows", () => {
  const heard = ITEM_STATUSES.flatMap((from) =>
    PROVIDER_WORDS.map((word) => {
      const { moves, breaks } = HEARD[from][word];
      let status = from;
      for (const event of moves) status = ITEM_MOVES[status][event]!;
      expect([from, word, status]).toEqual([from, word, moves.at(-1) ?? from]);
      return [from, word, moves.join() || '-', breaks ?? '-'];
    }),
  );
  expect(heard.filter(([, , moves, breaks]) => moves !== '-' || breaks !== '-').map((row) => row.join(' '))).toEqual(
    HEARD_TABLE,
  );
});

test('no word of a provider releases an uncertain payout', () => {
  for (const word of PROVIDER_WORDS)
    for (const event of HEARD.uncertain[word].moves)
      expect(WITHDRAWAL_OF[ITEM_MOVES.uncertain[event]!]).toBe('success');
});

test('a payout is sent in one state alone, and only before its sending has begun', () => {
  const asked = ITEM_STATUSES.flatMap((status) =>
    [true, false].map((isBegun) => `${status} ${isBegun ? 'begun' : 'new'} ${requestAbout({ status, isBegun })}`),
  );
  expect(asked.filter((row) => row.endsWith('send'))).toEqual(['sent new send']);
  expect(asked.filter((row) => row.includes('begun')).every((row) => row.endsWith('find'))).toBe(true);
});

describe('what an answer of a provider means', () => {
  const HOUR = 3_600;
  const item = { amount: 5_000, provider_ref: null };
  const known = { ...item, provider_ref: 'r' };
  const right = { amount: 5_000, currency: 'xof' };
  test.each([
    ['silence', item, HOUR, 'unknown'],
    ['silence', known, HOUR, 'pending'],
    ['silence', known, 73 * HOUR, 'unknown'],
    ['none', known, HOUR, 'unknown'],
    [{ outcome: undefined }, known, HOUR, 'unknown'],
    [{ outcome: 'pending', money: right }, item, HOUR, 'pending'],
    [{ outcome: 'pending' }, known, 73 * HOUR, 'unknown'],
    [{ outcome: 'paid', money: right }, item, HOUR, 'paid'],
    [{ outcome: 'paid', money: { amount: 4_999, currency: 'XOF' } }, item, HOUR, 'unknown'],
    [{ outcome: 'failed', money: { amount: null, currency: 'EUR' } }, item, HOUR, 'unknown'],
    [{ outcome: 'failed', money: { amount: null, currency: null } }, item, HOUR, 'unknown'],
    [{ outcome: 'returned' }, item, HOUR, 'returned'],
  ] as const)('%j about %j at an age of %i is %s', (answer, about, age, word) => {
    expect(wordOf(answer, about, { currency: 'XOF', age })).toBe(word);
  });

  test('decides when the provider is asked next', () => {
    const [minute, day] = [60, 24 * HOUR];
    const next = (word: ProviderWord, age: number, answer: Answer = { outcome: 'pending' }, is = {}) =>
      nextAge(word, answer, { isDone: false, isSettled: false, age, ...is });
    expect([0, minute, 5 * minute, 30 * minute, 90 * minute, 3 * day].map((age) => next('unknown', age))).toEqual([
      ...[minute, 5 * minute, 30 * minute, 90 * minute, 150 * minute],
      null,
    ]);
    expect([0, 29, 30, minute].map((age) => next('pending', age))).toEqual([30, 30, minute, 5 * minute]);
    expect(next('unknown', 3 * day, 'silence')).toBe(3 * day + 30 * minute);
    expect([0, minute, HOUR, day, 3 * day].map((age) => next('paid', age))).toEqual([minute, HOUR, day, 3 * day, null]);
    expect(next('unknown', 3 * day, 'silence', { isSettled: true })).toBeNull();
    expect([next('failed', 0), next('returned', 0), next('paid', 0, undefined, { isDone: true })]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('holds texts that can be stored', () => {
    expect(stored('a\u0000b\n\ud800 ', 255)).toBe('a b \ufffd');
    expect([stored(' ', 255), stored(undefined, 255), stored('abcdef', 3)]).toEqual([undefined, undefined, 'abc']);
  });
});

test('no report releases an uncertain payout, and none moves a settled one', () => {
  for (const status of ITEM_STATUSES)
    for (const report of REPORTS) {
      const { verdict, moves, breaks } = REPORTED[status][report];
      if (moves) expect(ITEM_MOVES[status][report]).toBe(verdict);
      expect(moves && breaks).toBe(false);
      if (!['sent', 'uncertain'].includes(status)) expect([status, report, moves]).toEqual([status, report, false]);
    }
  expect(REPORTED.uncertain.failed).toEqual({ verdict: 'uncertain', moves: false, breaks: true });
  expect(REPORTED.uncertain.paid.moves).toBe(true);
});

test.each([
  [{ status: 'initiated', isBanned: false, isUsable: true }, undefined],
  [{ status: 'pending', isBanned: true, isUsable: false }, 'not_initiated'],
  [{ status: 'success', isBanned: false, isUsable: true }, 'not_initiated'],
  [{ status: 'initiated', isBanned: true, isUsable: false }, 'banned'],
  [{ status: 'initiated', isBanned: false, isUsable: false }, 'account_not_usable'],
] as const)('a withdrawal %o is excluded as %s', (of, reason) => {
  expect(exclusionOf(of)).toBe(reason);
});

describe('maker and checker', () => {
  test('a batch needs another administrator from the setting on', () => {
    expect([needsChecker(5_000, 0), needsChecker(4_999, 5_000), needsChecker(5_000, 5_000)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(mayCheck({ id: 1 }, { needs_approval: true, creator_id: 1 })).toBe(false);
    expect(mayCheck({ id: 2 }, { needs_approval: true, creator_id: 1 })).toBe(true);
    expect(mayCheck({ id: 1 }, { needs_approval: false, creator_id: 1 })).toBe(true);
  });

  test.each([
    ['initiated', null, 1, true],
    ['initiated', 2, 1, true],
    ['pending', 1, 1, true],
    ['pending', 2, 1, false],
    ['failed', 2, 1, true],
  ] as const)(
    'a single payout of a withdrawal in %s claimed by %s lacks a checker for %i: %s',
    (status, claimer_id, id, lacks) => {
      expect(lacksChecker({ id }, { status, claimer_id, amount: 5_000 }, 5_000)).toBe(lacks);
      expect(lacksChecker({ id }, { status, claimer_id, amount: 4_999 }, 5_000)).toBe(false);
      expect(lacksChecker({ id }, { status, claimer_id, amount: 5_000 }, 0)).toBe(false);
    },
  );
});

describe('payout accounts', () => {
  test('an IBAN has the length of its country and the right check digits', () => {
    expect(ibanOf('gb82 WEST 1234 5698 7654 32')).toBe('GB82WEST12345698765432');
    expect(ibanOf('DE89370400440532013000')).toBe('DE89370400440532013000');
    expect(ibanOf(iban(7))).toBe(iban(7));
    for (const wrong of ['GB82WEST12345698765433', 'DE8937040044053201300', 'DE', '', '1234567890123456', 'GB82-WEST'])
      expect([wrong, ibanOf(wrong)]).toEqual([wrong, undefined]);
  });

  test('an IBAN has no check digits 00, 01 and 99, though their remainder may be right', () => {
    const numbers = Array.from({ length: 300 }, (_, number) => iban(number));
    const aliases = { '97': '00', '98': '01', '02': '99' };
    for (const [digits, alias] of Object.entries(aliases)) {
      const right = numbers.find((one) => one.slice(2, 4) === digits)!;
      expect([ibanOf(right), ibanOf(`SN${alias}${right.slice(4)}`)]).toEqual([right, undefined]);
    }
  });

  test('every single typing mistake of an IBAN is found', () => {
    const right = iban(123_456);
    for (let at = 4; at < right.length; at += 1) {
      const sign = right[at] === '9' ? '8' : '9';
      expect(ibanOf(right.slice(0, at) + sign + right.slice(at + 1))).toBeUndefined();
    }
  });

  test('a phone number is a valid mobile number of the country, kept as E.164', async () => {
    expect(await mobileOf('90 11 22 33', 'TG')).toBe('+22890112233');
    expect(await mobileOf('+228 90 11 22 33', 'TG')).toBe('+22890112233');
    for (const wrong of ['22 21 00 00', '+33612345678', '90 11', 'abc'])
      expect([wrong, await mobileOf(wrong, 'TG')]).toEqual([wrong, undefined]);
  });

  test('a text that a spreadsheet would run is a formula; a phone number is none', () => {
    for (const text of ['=1+1', '+cmd', '-2', '@SUM(A1)', '＝1']) expect([text, isFormula(text)]).toEqual([text, true]);
    for (const text of ["'=1", 'Kossi;=HYPERLINK("x")', '"Kossi\n=cmd', 'Kossi; "＝cmd', 'Kossi\t＋1', 'a\r\n@b'])
      expect([text, isFormula(text)]).toEqual([text, true]);
    for (const text of ['Kossi', 'SN-1', 'Kossi; Awa', 'a = b', "O'Brien-Smith"])
      expect([text, isFormula(text)]).toEqual([text, false]);
    expect(['+22890112233', '+228 90-11', '=1', '+1+cmd|x'].map(isSafeInCell)).toEqual([true, true, false, false]);
  });

  test('a text that XML cannot hold is not stored', () => {
    for (const text of ['a\ufffe', '\uffffa', 'a\u0001', 'a\ud800', '=1'])
      expect([text, isWritable(text)]).toEqual([text, false]);
    for (const text of ['Éloïse', '李', '😀', 'a\nb\tc', '\ufffd'])
      expect([text, isWritable(text)]).toEqual([text, true]);
  });
});

test('an amount is written with the digits of its currency', () => {
  expect([decimalAmount(5_000, 'XOF'), decimalAmount(5_000, 'EUR'), decimalAmount(7, 'EUR')]).toEqual([
    '5000',
    '50.00',
    '0.07',
  ]);
});
