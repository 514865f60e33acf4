import { describe, expect, test } from '@jest/globals';
import {
  CALL_STATES,
  isLive,
  lapse,
  lapseAt,
  addMicroseconds,
  nextState,
  SECOND_US,
  type CallState,
  type Command,
  type LapseColumns,
} from '../src/call/call.ts';

describe('the state of a call', () => {
  const expected: [CallState, Command, CallState | undefined][] = [
    ['ringing', 'accept', 'active'],
    ['ringing', 'reject', 'rejected'],
    ['ringing', 'miss', 'missed'],
    ['ringing', 'cancel', 'canceled'],
    ['ringing', 'end', undefined],
    ['active', 'accept', undefined],
    ['active', 'reject', undefined],
    ['active', 'miss', undefined],
    ['active', 'cancel', undefined],
    ['active', 'end', 'ended'],
  ];
  test.each(expected)('%s after %s becomes %s', (state, command, next) => expect(nextState(state, command)).toBe(next));

  const over = CALL_STATES.filter((state) => !isLive(state));
  test('is final when ended, rejected, missed or canceled', () =>
    expect(over).toEqual(['ended', 'rejected', 'missed', 'canceled']));
  test.each(over)('no command changes %s', (state) => {
    const commands: Command[] = ['accept', 'reject', 'miss', 'cancel', 'end'];
    expect(commands.map((command) => nextState(state, command))).toEqual(
      [...commands].fill('end').map(() => undefined),
    );
  });
});

describe('without a request, a call', () => {
  const at = (second: number) => addMicroseconds('2026-01-01T00:00:00.000001Z', second * SECOND_US);
  const quiet = { billed_at: null, alive_at: null, needs_alive: false };
  const ringing = { ring_expires_at: at(45), accepting_at: null, accepted_at: null, ...quiet, iterator: 60 };
  const active = { ...ringing, accepting_at: at(5), accepted_at: at(6) };

  test.each<[string, CallState, Omit<LapseColumns, 'state'>, number | null]>([
    ['is missed at the ring time-out', 'ringing', ringing, 45],
    [
      'is missed at the ring time-out despite an acceptance that began long before',
      'ringing',
      { ...ringing, accepting_at: at(20) },
      45,
    ],
    ['waits longer for an acceptance in flight', 'ringing', { ...ringing, accepting_at: at(44) }, 54],
    ['ends two steps after the acceptance without a bill', 'active', active, 126],
    ['ends two steps after the last bill', 'active', { ...active, billed_at: at(67) }, 187],
    [
      'ends two steps after the acceptance when the clock has stepped back',
      'active',
      { ...active, billed_at: at(3) },
      126,
    ],
    ['does not end for lack of signs of life before the first one', 'active', { ...active, billed_at: at(127) }, 247],
    ['ends two steps after the last sign of life', 'active', { ...active, billed_at: at(67), alive_at: at(30) }, 150],
    [
      'ends two steps after the last bill while the student gives signs of life',
      'active',
      { ...active, alive_at: at(120) },
      126,
    ],
    [
      'ends two steps after the acceptance when a required sign of life is missing',
      'active',
      { ...active, billed_at: at(100), needs_alive: true },
      126,
    ],
    [
      'continues after a required sign of life',
      'active',
      { ...active, billed_at: at(100), alive_at: at(90), needs_alive: true },
      210,
    ],
    ['stays ended', 'ended', { ...active, alive_at: at(30) }, null],
    ['stays canceled', 'canceled', ringing, null],
  ])('%s', (_name, state, moments, second) => {
    const call = { ...moments, state };
    expect(lapseAt(call)).toBe(second === null ? null : at(second));
    const over = state === 'ringing' ? 'missed' : 'silent';
    const fates = [at((second ?? 999) - 0.000_001), at(second ?? 999)].map((now) => lapse({ ...call, now }));
    expect(fates).toEqual([undefined, second === null ? undefined : over]);
  });
});

test.each([
  ['2026-01-01T00:00:00.000000Z', 1, '2026-01-01T00:00:00.000001Z'],
  ['2026-01-01T00:00:00.999999Z', 1, '2026-01-01T00:00:01.000000Z'],
  ['2026-01-01T00:00:00.000000Z', -1, '2025-12-31T23:59:59.999999Z'],
  ['2026-12-31T23:59:00.500000Z', 60 * SECOND_US, '2027-01-01T00:00:00.500000Z'],
])('%s plus %d microseconds is %s', (at, us, then) => expect(addMicroseconds(at, us)).toBe(then));
