import { describe, expect, test } from '@jest/globals';
import { chargeStep, chargeSteps, commissionOf, type Charge } from '../src/charges/charge-step.ts';
import { captureHold, freeHold, placeHold } from '../src/holds/hold.ts';
import { accountsAfter, type Account, type Hold } from '../src/ledger/account.ts';

const UNTIL = '2026-01-01T00:10:00.000000Z';
const account = (user_id: number, balance: number, held = 0): Account => ({ user_id, balance, held, version: 3 });
const hold = (change: Partial<Hold> = {}): Hold => ({
  reference: 'call:x',
  user_id: 1,
  amount: 60,
  state: 'open',
  expires_at: 'soon',
  version: 2,
  ...change,
});

describe('a share of an amount', () => {
  test.each([
    ['is a tenth of the amount', 100, { part: 10, of: 100 }, 10],
    ['is rounded down to the unit', 99, { part: 10, of: 100 }, 9],
    ['is 0 below one unit', 9, { part: 10, of: 100 }, 0],
    ['is 0 for a part of 0', 100, { part: 0, of: 100 }, 0],
    ['is the whole amount', 7, { part: 100, of: 100 }, 7],
    ['is exact though the product exceeds 2^53', 6e12, { part: 3e12, of: 9e12 }, 2e12],
  ])('%s', (_name, amount, rate, expected) => {
    expect(commissionOf(amount, rate)).toBe(expected);
  });
});

describe('a step of a call', () => {
  const charge = (change: Partial<Charge> = {}): Charge => ({
    reference: 'call:x:step:1',
    hold: 'call:x',
    student_id: 1,
    teacher_id: 2,
    amount: 100,
    commission_percent: 10,
    next_amount: 60,
    call: { identifier: 'x', call_type: 'video', step: 1 },
    context: {},
    ...change,
  });
  type State = Partial<Parameters<typeof chargeStep>[1]>;
  const decide = (change: Partial<Charge>, state: State) =>
    chargeStep(
      charge(change),
      { student: account(1, 1000, 60), teacher: account(2, 5), hold: hold(), prior: undefined, ...state },
      UNTIL,
    );

  test.each<[string, Partial<Charge>, State, [string, number, number, number]]>([
    ['is paid from its hold first, and reserves the next step', {}, {}, ['done', 100, 60, 840]],
    ['takes the last unit', {}, { student: account(1, 100, 60) }, ['done', 100, 0, 0]],
    ['is refused one unit short', {}, { student: account(1, 99, 60) }, ['refused', 0, 60, 39]],
    ['never uses money that another hold reserves', {}, { student: account(1, 150, 120) }, ['refused', 0, 60, 30]],
    ['reserves the next step only as a whole', {}, { student: account(1, 159, 60) }, ['done', 100, 0, 59]],
    ['reserves nothing when no step follows', { next_amount: 0 }, {}, ['done', 100, 0, 900]],
    [
      'reserves nothing when its hold was released',
      {},
      { student: account(1, 1000), hold: hold({ amount: 0, state: 'released' }) },
      ['done', 100, 0, 900],
    ],
    [
      'opens an expired hold again',
      {},
      { student: account(1, 1000), hold: hold({ amount: 0, state: 'expired' }) },
      ['done', 100, 60, 840],
    ],
    ['opens a hold if there is none', {}, { student: account(1, 1000), hold: undefined }, ['done', 100, 60, 840]],
    [
      'returns the first charge and the current hold when repeated',
      { amount: 7 },
      { prior: { debit: 1, amount: 100 } },
      ['repeated', 100, 60, 940],
    ],
    [
      'conflicts with a reference of another student',
      {},
      { prior: { debit: 9, amount: 100 } },
      ['conflict', 0, 60, 940],
    ],
    ['conflicts with a hold of another student', {}, { hold: hold({ user_id: 9 }) }, ['conflict', 0, 60, 940]],
  ])('%s', (_name, change, state, [verdict, charged, reserved, available]) => {
    const decided = decide(change, state);
    expect(decided.verdict).toEqual({ verdict, charged, reserved, available });
    expect(decided.effect !== undefined).toBe(verdict === 'done');
  });

  test('moves the money and the commission, and raises both payments', () => {
    expect(decide({}, {}).effect).toEqual({
      student: account(1, 900, 60),
      teacher: account(2, 95),
      hold: hold({ amount: 60, expires_at: UNTIL }),
      postings: [
        { kind: 'call', reference: 'call:x:step:1', debit: 1, credit: 2, amount: 100 },
        { kind: 'commission', reference: 'call:x:step:1', debit: 2, credit: -1, amount: 10 },
      ],
      payments: [
        { source: 'call:x', user_id: 1, direction: 'out', amount: 100, ref: 'x', details: 'video call' },
        { source: 'call:x', user_id: 2, direction: 'in', amount: 90, ref: 'x', details: 'video call' },
      ],
    });
  });

  test.each<[string, Partial<Charge>, Hold | undefined, Hold | undefined]>([
    [
      'stays open even if the next step is not affordable',
      { next_amount: 5000 },
      hold(),
      hold({ amount: 0, expires_at: UNTIL }),
    ],
    [
      'is released with the last step',
      { next_amount: 0 },
      hold(),
      hold({ amount: 0, state: 'released', expires_at: UNTIL }),
    ],
    ['opens again after it expired', {}, hold({ amount: 0, state: 'expired' }), hold({ expires_at: UNTIL })],
    ['stays unchanged once released', {}, hold({ amount: 0, state: 'released' }), undefined],
    ['is opened by the first reserve', {}, undefined, hold({ version: 0, expires_at: UNTIL })],
    ['is not opened when nothing is reserved', { next_amount: 0 }, undefined, undefined],
  ])('its hold %s', (_name, change, before, after) => {
    const student = account(1, 1000, before?.state === 'open' ? before.amount : 0);
    expect(decide(change, { student, hold: before }).effect!.hold).toEqual(after);
  });

  test('rounds a commission below one unit to 0', () => {
    const { effect } = decide({ amount: 9 }, {});
    expect(effect!.postings.map(({ kind }) => kind)).toEqual(['call']);
    expect(effect!.teacher.balance).toBe(14);
  });

  test('has no verdict without locked accounts; the others publish one event per row, payers first, with the last request id', () => {
    const books = {
      accounts: new Map([account(1, 1000), account(2, 0), account(3, 1000)].map((a) => [a.user_id, a])),
      holds: new Map<string, Hold>(),
      prior: new Map(),
    };
    const other = charge({
      reference: 'call:y:step:1',
      hold: 'call:y',
      call: { identifier: 'y', call_type: 'video', step: 1 },
      student_id: 3,
    });
    const charges = [
      charge({ context: { requestId: 'one' } }),
      charge({ reference: 'call:z:step:1', student_id: 4 }),
      { ...other, context: { requestId: 'two' } },
    ];
    const { verdicts, entries } = chargeSteps(charges, books, { until: UNTIL, currency: 'XOF' });
    expect(verdicts.map((verdict) => verdict?.verdict)).toEqual(['done', undefined, 'done']);
    const events = entries.events.map((event) => [
      'to' in event
        ? `${event.event} of ${Object.values(event.to)[0]}`
        : `${event.name} of ${Object.values(event.data)[0]}`,
      event.context?.requestId,
    ]);
    expect(events).toEqual([
      ...['balance.changed of 1', 'wallet.balance of 1'].map((name) => [name, 'one']),
      ...['balance.changed of 3', 'wallet.balance of 3'].map((name) => [name, 'two']),
      ...['balance.changed of 2', 'wallet.balance of 2'].map((name) => [name, 'two']),
    ]);
    expect(entries.accounts).toEqual([
      { ...account(1, 900, 60), version: 4 },
      { ...account(3, 900, 60), version: 4 },
      { ...account(2, 180), version: 4 },
    ]);
  });
});

describe('placing a hold', () => {
  const wanted = { reference: 'call:x', amount: 100, expires_at: UNTIL };
  const expired = hold({ amount: 0, state: 'expired' });
  const released = hold({ amount: 0, state: 'released' });
  test.each<[string, Account, Hold | undefined, boolean, [string, number, number]]>([
    ['is done', account(1, 300, 50), undefined, false, ['done', 100, 150]],
    ['is done with the last unit', account(1, 150, 50), undefined, false, ['done', 100, 0]],
    ['is refused one unit short', account(1, 149, 50), undefined, false, ['refused', 0, 99]],
    ['that exists changes nothing', account(1, 300, 60), hold(), false, ['repeated', 60, 240]],
    ['that was released changes nothing', account(1, 300), released, false, ['repeated', 0, 300]],
    ['that expired reopens it', account(1, 300), expired, false, ['done', 100, 200]],
    ["under another user's reference conflicts", account(7, 300), hold(), false, ['conflict', 60, 300]],
    ['on a closed account is refused', account(1, 300), undefined, true, ['closed', 0, 300]],
    ['that expired is refused on a closed account', account(1, 300), expired, true, ['closed', 0, 300]],
    ['that exists on a closed account returns it', account(1, 300, 60), hold(), true, ['repeated', 60, 240]],
  ])('%s', (_name, owner, existing, isClosed, [verdict, amount, available]) => {
    const { placed, changed } = placeHold(wanted, { account: owner, existing, isClosed });
    expect([placed.verdict, placed.amount, placed.available]).toEqual([verdict, amount, available]);
    expect(changed?.account.held).toBe(verdict === 'done' ? owner.held + 100 : undefined);
  });
});

test('releasing a hold makes its money available, and capturing it debits the account', () => {
  const [held, owner] = [hold({ amount: 60 }), account(1, 300, 100)];
  expect(freeHold(held, owner, 'expired')).toEqual({
    hold: hold({ amount: 0, state: 'expired' }),
    account: account(1, 300, 40),
  });
  expect(captureHold(held, owner)).toEqual({
    hold: hold({ amount: 0, state: 'released' }),
    account: account(1, 240, 40),
  });
});

describe('a transfer', () => {
  const posting = (debit: number, credit: number, amount = 100) => ({
    ...{ kind: 'refund' as const, reference: 'r', debit, credit, amount },
  });
  const accounts = new Map([account(1, 100), account(2, 150, 51)].map((row) => [row.user_id, row]));
  test.each([
    ['from a system account credits a user', posting(-10, 1), [account(1, 200)]],
    ['to a system account debits a user', posting(1, -20), [account(1, 0)]],
    ['between users changes both, in ascending order', posting(2, 1, 99), [account(1, 199), account(2, 51, 51)]],
    ['between system accounts changes none', posting(-10, -3), []],
  ])('%s', (_name, transfer, expected) => {
    expect(accountsAfter(transfer, accounts)).toEqual(expected);
  });

  test('of more than is available is refused', () => {
    expect(() => accountsAfter(posting(2, 1), accounts)).toThrow('The money is no longer there.');
  });
});
