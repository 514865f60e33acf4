import { describe, expect, test } from '@jest/globals';
import {
  CALL_STATES,
  isLive,
  lapse,
  nextState,
  type CallState,
  type Command,
  type Moment,
} from '../src/call/life-cycle.ts';

const SECOND = 1_000_000;

describe('state after a command', () => {
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
  test.each(expected)('%s, %s: %s', (state, command, next) => expect(nextState(state, command)).toBe(next));

  const over = CALL_STATES.filter((state) => !isLive(state));
  test('four states are final', () => expect(over).toEqual(['ended', 'rejected', 'missed', 'canceled']));
  test.each(over)('no command leads out of %s', (state) => {
    const commands: Command[] = ['accept', 'reject', 'miss', 'cancel', 'end'];
    expect(commands.map((command) => nextState(state, command))).toEqual(
      [...commands].fill('end').map(() => undefined),
    );
  });
});

describe('effect of time alone on a call', () => {
  const moment = (changes: Partial<Moment>): Moment => ({
    state: 'ringing',
    ring_left_us: 10 * SECOND,
    accepting_us: null,
    silent_us: null,
    iterator: null,
    ...changes,
  });
  const active = (silent_us: number) => moment({ state: 'active', ring_left_us: -1, silent_us, iterator: 60 });

  test.each<[string, Moment, ReturnType<typeof lapse>]>([
    ['rings on before the time-out', moment({}), undefined],
    ['is missed at the time-out', moment({ ring_left_us: 0 }), 'missed'],
    ['is missed after the time-out', moment({ ring_left_us: -SECOND }), 'missed'],
    ['waits for an acceptance under way', moment({ ring_left_us: -1, accepting_us: 9 * SECOND }), undefined],
    [
      'is missed when the acceptance came to nothing',
      moment({ ring_left_us: -1, accepting_us: 10 * SECOND }),
      'missed',
    ],
    ['goes on within two silent steps', active(120 * SECOND - 1), undefined],
    ['is silent after two silent steps', active(120 * SECOND), 'silent'],
    ['goes on when the clock has stepped back', active(-SECOND), undefined],
    ['stays ended', moment({ state: 'ended', ring_left_us: -1, silent_us: 999 * SECOND, iterator: 60 }), undefined],
    ['stays canceled', moment({ state: 'canceled', ring_left_us: -1 }), undefined],
  ])('%s', (_name, call, fate) => expect(lapse(call)).toBe(fate));
});
