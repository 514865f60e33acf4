import { describe, expect, test } from '@jest/globals';
import {
  begunCase,
  caseMove,
  caseMoves,
  subjectOf,
  type CaseEvent,
  type CaseFacts,
  type CaseMove,
} from '../src/support/case-move.ts';

/* Every state of a case times every event. */

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000000Z`;
const [OPENED, ASKED, DUE, NOW] = [at(1), at(2), at(11), at(12)];

const facts = (changes: Partial<CaseFacts> = {}): CaseFacts => ({
  state: 'open',
  assignee_id: 3,
  labels: ['payment'],
  snoozed_until: null,
  subject: 'Help',
  waiting_since: ASKED,
  first_reply_at: null,
  opened_at: OPENED,
  resolved_at: null,
  resolved_by: null,
  reopened: 1,
  score: null,
  comment: null,
  rated_at: null,
  ...changes,
});

const STATES = {
  none: undefined,
  waiting: facts(),
  answered: facts({ waiting_since: null, first_reply_at: ASKED }),
  unassigned: facts({ assignee_id: null }),
  'snoozed until due': facts({ state: 'snoozed', snoozed_until: DUE }),
  'snoozed until later': facts({ state: 'snoozed', snoozed_until: at(20) }),
  'snoozed until a message': facts({ state: 'snoozed', waiting_since: null, first_reply_at: ASKED }),
  'resolved lately': facts({ state: 'resolved', resolved_at: at(9), resolved_by: 4, waiting_since: null }),
  'resolved long ago': facts({
    ...{ state: 'resolved', resolved_at: '2026-11-01T00:00:00.000000Z', resolved_by: 4 },
    ...{ waiting_since: null, score: 3, comment: 'ok', rated_at: '2026-11-01T01:00:00.000000Z' },
  }),
} satisfies Record<string, CaseFacts | undefined>;
type State = keyof typeof STATES;

const message = (keeps: boolean): CaseEvent => ({ is: 'message', at: NOW, text: 'Me again', reopenHours: 72, keeps });
const EVENTS = {
  'a message': message(true),
  'a message, the assignee has left': message(false),
  'a reply': { is: 'reply', at: NOW, by: 5, takes: true },
  'a reply by somebody who may not have cases': { is: 'reply', at: NOW, by: 5, takes: false },
  'the time is over': { is: 'due', at: NOW },
  open: { is: 'open', at: NOW, unanswered: ASKED, keeps: true },
  'open, the assignee has left': { is: 'open', at: NOW, unanswered: null, keeps: false },
  snooze: { is: 'snooze', until: at(20) },
  'snooze until a message': { is: 'snooze', until: null },
  resolve: { is: 'resolve', at: NOW, by: 5 },
  'assign to 5': { is: 'assign', to: 5 },
  unassign: { is: 'assign', to: null },
  label: { is: 'label', labels: ['call'] },
  rename: { is: 'rename', subject: 'Other' },
  rate: { is: 'rate', at: NOW, score: 5, comment: null, ratings: 0 },
} satisfies Record<string, CaseEvent>;
type Event = keyof typeof EVENTS;

const entry = (event: string, was: string | null = null, becomes: string | null = null) => ({ event, was, becomes });
const moved = (change: Partial<CaseFacts>, ...entries: object[]) => ({ is: 'moved', change, entries });
const SAME = { is: 'same' };
const REFUSED = { is: 'refused' };
const OPENS = {
  is: 'opened',
  facts: facts({ assignee_id: null, labels: [], subject: 'Me again', waiting_since: NOW, opened_at: NOW, reopened: 0 }),
  entries: [entry('opened')],
};
const LEFT = entry('assigned', '3', null);
const WAKEN = { state: 'open', snoozed_until: null } as const;
const reopens = (waiting_since: string | null, change: Partial<CaseFacts> = {}, ...entries: object[]) =>
  moved(
    {
      ...{ state: 'open', resolved_at: null, opened_at: NOW, reopened: 2 },
      ...{ waiting_since, ...change },
    },
    entry('reopened'),
    ...entries,
  );
const resolves = (from: string) =>
  moved(
    { state: 'resolved', resolved_at: NOW, resolved_by: 5, waiting_since: null, snoozed_until: null },
    { ...entry('state', from, 'resolved'), seconds: 11 * 3_600 },
  );
const snoozes = (was: string | null, becomes: string | null) =>
  moved({ state: 'snoozed', snoozed_until: becomes }, entry('snoozed', was, becomes));
const REPLIED = { first_reply_at: NOW, waiting_since: null };
const WAKES = moved(WAKEN, entry('woken'));

/** What every state but `none` does by default. */
const always: Partial<Record<Event, object>> = {
  'the time is over': SAME,
  'assign to 5': moved({ assignee_id: 5 }, entry('assigned', '3', '5')),
  unassign: moved({ assignee_id: null }, entry('assigned', '3', null)),
  label: moved({ labels: ['call'] }, entry('labels', 'payment', 'call')),
  rename: moved({ subject: 'Other' }, entry('subject')),
  rate: REFUSED,
};
const open: Partial<Record<Event, object>> = {
  ...always,
  'a message': SAME,
  'a message, the assignee has left': SAME,
  'a reply': moved(REPLIED),
  'a reply by somebody who may not have cases': moved(REPLIED),
  open: SAME,
  'open, the assignee has left': SAME,
  snooze: snoozes(null, at(20)),
  'snooze until a message': snoozes(null, null),
  resolve: resolves('open'),
};
const snoozed = (until: string | null): Partial<Record<Event, object>> => ({
  ...open,
  'a message': moved({ ...WAKEN, waiting_since: ASKED }, entry('woken')),
  'a message, the assignee has left': moved(
    { ...WAKEN, waiting_since: ASKED, assignee_id: null },
    entry('woken'),
    LEFT,
  ),
  open: WAKES,
  'open, the assignee has left': WAKES,
  snooze: snoozes(until, at(20)),
  'snooze until a message': snoozes(until, null),
  resolve: resolves('snoozed'),
});
const resolved: Partial<Record<Event, object>> = {
  ...always,
  'a reply': SAME,
  'a reply by somebody who may not have cases': SAME,
  open: reopens(ASKED),
  'open, the assignee has left': reopens(null, { assignee_id: null }, LEFT),
  snooze: REFUSED,
  'snooze until a message': REFUSED,
  resolve: SAME,
};

const TABLE: Record<State, Partial<Record<Event, object>>> = {
  none: {
    ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, SAME])),
    'a message': OPENS,
    'a message, the assignee has left': OPENS,
  },
  waiting: open,
  answered: {
    ...open,
    'a message': moved({ waiting_since: NOW }),
    'a message, the assignee has left': moved({ waiting_since: NOW }),
    'a reply': SAME,
    'a reply by somebody who may not have cases': SAME,
  },
  unassigned: {
    ...open,
    'a reply': moved({ ...REPLIED, assignee_id: 5 }, entry('assigned', null, '5')),
    'assign to 5': moved({ assignee_id: 5 }, entry('assigned', null, '5')),
    unassign: SAME,
  },
  'snoozed until due': { ...snoozed(DUE), 'the time is over': WAKES },
  'snoozed until later': { ...snoozed(at(20)), snooze: SAME },
  'snoozed until a message': {
    ...snoozed(null),
    'a message': moved({ ...WAKEN, waiting_since: NOW }, entry('woken')),
    'a message, the assignee has left': moved(
      { ...WAKEN, waiting_since: NOW, assignee_id: null },
      entry('woken'),
      LEFT,
    ),
    'a reply': SAME,
    'a reply by somebody who may not have cases': SAME,
    'snooze until a message': SAME,
  },
  'resolved lately': {
    ...resolved,
    'a message': reopens(NOW),
    'a message, the assignee has left': reopens(NOW, { assignee_id: null }, LEFT),
    rate: moved({ score: 5, comment: null, rated_at: NOW }, entry('rated', null, '5')),
  },
  'resolved long ago': { ...resolved, 'a message': OPENS, 'a message, the assignee has left': OPENS },
};

describe.each(Object.keys(STATES) as State[])('a case that is %s', (state) => {
  test.each(Object.keys(EVENTS) as Event[])('%s', (event) => {
    expect(caseMove(STATES[state], EVENTS[event])).toEqual(TABLE[state][event]);
  });
});

test('a message reopens a case until exactly the hours of the setting are over; 0 hours never', () => {
  const last = facts({ state: 'resolved', resolved_at: at(9), resolved_by: 4 });
  const is = (hours: number) => caseMove(last, { ...message(true), reopenHours: hours } as CaseEvent).is;
  expect([is(4), is(3), is(0)]).toEqual(['moved', 'opened', 'opened']);
});

test('a rating has a line, at most twenty in a row', () => {
  const rated = facts({ state: 'resolved', resolved_at: at(9), score: 4, comment: 'ok' });
  const rate = (score: number, ratings: number) =>
    caseMove(rated, { is: 'rate', at: NOW, score, comment: null, ratings });
  expect(rate(5, 19)).toMatchObject({ is: 'moved', entries: [entry('rated', '4', '5')] });
  expect(rate(5, 20)).toEqual(moved({ score: 5, comment: null, rated_at: NOW }));
});

test('labels are compared one by one', () => {
  const twoLines = facts({ labels: ['a\nb'] });
  expect(caseMove(twoLines, { is: 'label', labels: ['a', 'b'] })).toMatchObject({ change: { labels: ['a', 'b'] } });
  expect(caseMove(twoLines, { is: 'label', labels: ['a\nb'] })).toEqual(SAME);
});

test('several events make one change; the first refusal refuses them all', () => {
  const both: CaseEvent[] = [EVENTS['a reply'], EVENTS.resolve];
  expect(caseMoves(STATES.unassigned, both)).toEqual({
    is: 'moved',
    change: {
      ...REPLIED,
      ...{ assignee_id: 5, state: 'resolved', resolved_at: NOW, resolved_by: 5, snoozed_until: null },
    },
    entries: [entry('assigned', null, '5'), { ...entry('state', 'open', 'resolved'), seconds: 11 * 3_600 }],
  });
  expect(caseMoves(STATES['resolved lately'], [EVENTS.label, EVENTS.snooze])).toEqual(REFUSED);
  expect(caseMoves(STATES.waiting, [EVENTS.open])).toEqual(SAME);
});

test('a case that an administrator begins waits for nobody and belongs to its author', () => {
  const move = begunCase(NOW, 'Hello', { by: 5, takes: true }) as Extract<CaseMove, { is: 'opened' }>;
  expect(move.facts).toMatchObject({ state: 'open', assignee_id: 5, waiting_since: null, first_reply_at: NOW });
  expect(move.entries).toEqual([entry('opened'), entry('assigned', null, '5')]);
});

test('a subject has at most 120 characters, whole ones', () => {
  expect(subjectOf('x'.repeat(500))).toBe('x'.repeat(120));
  expect(subjectOf('😀'.repeat(500))).toBe('😀'.repeat(120));
  expect(subjectOf('short')).toBe('short');
});
