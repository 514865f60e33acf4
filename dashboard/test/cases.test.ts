import { describe, expect, test } from '@jest/globals';
import { durationInWords } from '../src/shared/time/duration.ts';
import {
  asRead,
  belongsTo,
  filterOf,
  labelsOf,
  shownCases,
  withCase,
  withMessageOf,
  withNotes,
  type Case,
  type Choice,
  type Note,
  type Show,
} from '../src/support/case.ts';
import type { Message } from '../src/support/room.ts';
import { askedFor, offered } from '../src/support/shortcut.ts';
import { fieldTime, snoozeTimes } from '../src/support/snooze-times.ts';

const ME = 7;

/** An open case of the room `room-<id>`, which waits since this minute. */
const caseOf = (id: number, minute: number | null, facts: Partial<Case> = {}) =>
  ({
    id,
    room_uuid: `room-${id}`,
    user: { id: 100 + id, name: `Person ${id}` },
    state: 'open',
    assignee: null,
    labels: [],
    waiting_since: minute === null ? null : `2026-11-28T10:${String(minute).padStart(2, '0')}:00.000000Z`,
    last_message: null,
    unread: 0,
    ...facts,
  }) as Case;

const OPEN: Choice = { show: 'open', label: '', q: '' };
const nobody = { me: ME, openId: undefined, frozen: new Map<number, number>() };
const ids = (cases: Case[]) => cases.map(({ id }) => id).join(' ');

describe('the list of cases', () => {
  const cases = [caseOf(1, null), caseOf(2, 30), caseOf(3, 5), caseOf(4, null), caseOf(5, 20)];

  test('shows the longest wait first, and cases that do not wait last', () => {
    expect(ids(shownCases(cases, OPEN, nobody))).toBe('3 5 2 1 4');
    expect(ids(shownCases([...cases, ...cases], OPEN, nobody))).toBe('3 5 2 1 4');
  });

  test('keeps the server’s order of resolved cases and of the results of a search', () => {
    const resolved = cases.map((each) => ({ ...each, state: 'resolved' as const }));
    expect(ids(shownCases(resolved, { ...OPEN, show: 'resolved' }, nobody))).toBe('1 2 3 4 5');
    expect(ids(shownCases(resolved, { ...OPEN, q: 'paid' }, nobody))).toBe('1 2 3 4 5');
  });

  test('keeps an opened case at its position while it is answered, and shows it until another one is opened', () => {
    const frozen = new Map([[3, Date.parse('2026-11-28T10:05:00Z')]]);
    const answered = cases.map((each) => (each.id === 3 ? { ...each, waiting_since: null } : each));
    expect(ids(shownCases(answered, OPEN, { me: ME, openId: 3, frozen }))).toBe('3 5 2 1 4');
    const resolved = cases.map((each) => (each.id === 3 ? { ...each, state: 'resolved' as const } : each));
    expect(ids(shownCases(resolved, OPEN, { me: ME, openId: 3, frozen }))).toBe('3 5 2 1 4');
    expect(ids(shownCases(resolved, OPEN, { me: ME, openId: 5, frozen }))).toBe('5 2 1 4');
  });

  const mine = { assignee: { id: ME, name: 'Ada' } };
  const hers = { assignee: { id: 8, name: 'Efua' } };
  test.each<[string, Partial<Case>, Show[]]>([
    ['an open case of nobody', {}, ['open', 'unassigned']],
    ['an open case of mine', mine, ['open', 'mine']],
    ['an open case of a colleague', hers, ['open']],
    ['a snoozed case of mine', { ...mine, state: 'snoozed' }, ['snoozed']],
    ['a resolved case of nobody', { state: 'resolved' }, ['resolved']],
  ])('%s belongs to its filters', (_name, facts, shows) => {
    const all: Show[] = ['open', 'mine', 'unassigned', 'snoozed', 'resolved'];
    expect(all.filter((show) => belongsTo(caseOf(1, 1, facts), { ...OPEN, show }, ME))).toEqual(shows);
  });

  test('can have only the cases with a label, with any other filter and in a search', () => {
    const labelled = [
      caseOf(1, 1, { labels: ['urgent', 'Écoute'] }),
      caseOf(2, 2),
      caseOf(3, 3, { labels: ['urgent'] }),
    ];
    const urgent = { ...OPEN, label: 'urgent' };
    expect(ids(shownCases(labelled, urgent, nobody))).toBe('1 3');
    expect(labelsOf(labelled)).toEqual(['Écoute', 'urgent']);
    expect(filterOf(urgent)).toEqual({ state: 'open', label: 'urgent' });
    expect(filterOf({ ...urgent, q: 'paid' })).toEqual({ q: 'paid', label: 'urgent' });
    expect(filterOf(OPEN)).toEqual({ state: 'open' });
    expect(withCase([{ data: [] }], caseOf(4, 4), urgent, ME)).toEqual([{ data: [] }]);
  });

  test('replaces a changed case, adds a new one that belongs to it, and leaves out others', () => {
    const pages = [{ data: [caseOf(1, 1)] }, { data: [caseOf(2, 2)] }];
    const after = (changed: Case, choice = OPEN) =>
      withCase(pages, changed, choice, ME).map(({ data }) => data.map(({ id, state }) => `${id} ${state}`));
    expect(after(caseOf(2, null, { state: 'resolved' }))).toEqual([['1 open'], ['2 resolved']]);
    expect(after(caseOf(3, 3))).toEqual([['3 open', '1 open'], ['2 open']]);
    expect(after(caseOf(3, 3, { state: 'snoozed' }))).toEqual([['1 open'], ['2 open']]);
    expect(after(caseOf(3, 3), { ...OPEN, q: 'paid' })).toEqual([['1 open'], ['2 open']]);
  });
});

describe('a message in a case', () => {
  const message = (id: number, from: 'person' | 'staff', room = 'room-1') =>
    ({ id, room_uuid: room, sender_id: from === 'person' ? 101 : ME, status: 'unread' }) as Message;

  test('is its last message, and unread if it is the person’s; a repeated one changes nothing', () => {
    const first = withMessageOf(caseOf(1, 1), message(10, 'person'));
    expect([first.unread, first.last_message?.id]).toEqual([1, 10]);
    expect(withMessageOf(first, message(10, 'person'))).toBe(first);
    const second = withMessageOf(first, message(11, 'staff'));
    expect([second.unread, second.last_message?.id]).toEqual([1, 11]);
    expect(withMessageOf(first, message(12, 'person', 'room-2'))).toBe(first);
    expect(asRead(second, 'room-1').unread).toBe(0);
    expect(asRead(second, 'room-2')).toBe(second);
  });
});

describe('notes', () => {
  const at = (minute: number) => `2026-11-28T10:${String(minute).padStart(2, '0')}:00.000000Z`;
  const messages = [10, 30].map((minute) => ({ id: minute, created_at: at(minute) }) as Message);
  const notes = [5, 20, 40].map((minute) => ({ id: minute, created_at: at(minute) }) as Note);
  const shown = (isWhole: boolean) =>
    withNotes(messages, notes, isWhole).map((line) => ('note' in line ? `note ${line.note.id}` : line.message.id));

  test('stand between the messages; those from the time of messages that are not loaded are left out', () => {
    expect(shown(true)).toEqual(['note 5', 10, 'note 20', 30, 'note 40']);
    expect(shown(false)).toEqual([10, 'note 20', 30, 'note 40']);
    expect(withNotes([], notes, true)).toHaveLength(3);
  });
});

describe('a shortcut', () => {
  test.each<[string, [before: string, shortcut: string] | undefined]>([
    ['/', ['', '']],
    ['/hel', ['', 'hel']],
    ['/HEL', ['', 'hel']],
    ['Hello Awa,\n/pay', ['Hello Awa,\n', 'pay']],
    ['Hello /', ['Hello ', '']],
    ['and/or', undefined],
    ['https://example.com/', undefined],
    ['/hello there', undefined],
    ['', undefined],
  ])('in “%s” is asked for at the start of a word', (text, asked) => {
    expect(askedFor(text)).toEqual(asked && { before: asked[0], shortcut: asked[1] });
  });

  test('offers replies that begin with it, then those that contain it', () => {
    const all = ['bye', 'repaid', 'paid', 'pay-later'].map((shortcut) => ({ shortcut }));
    expect(offered(all, 'pa').map(({ shortcut }) => shortcut)).toEqual(['paid', 'pay-later', 'repaid']);
    expect(offered(all, '')).toHaveLength(4);
  });
});

describe('snoozing', () => {
  // Months count from 0; 30 November 2026 is a Monday.
  test.each([
    ['on a Saturday', new Date(2026, 10, 28, 20, 30), '2026-11-28T21:30', '2026-11-29T09:00', '2026-11-30T09:00'],
    ['on a Sunday', new Date(2026, 10, 29, 8, 0), '2026-11-29T09:00', '2026-11-30T09:00', '2026-11-30T09:00'],
    ['on a Monday', new Date(2026, 10, 30, 8, 0), '2026-11-30T09:00', '2026-12-01T09:00', '2026-12-07T09:00'],
    ['before midnight', new Date(2026, 11, 31, 23, 59), '2027-01-01T00:59', '2027-01-01T09:00', '2027-01-04T09:00'],
  ])(
    '%s offers an hour, the next morning and the next Monday in the local zone',
    (_day, now, hour, tomorrow, monday) => {
      const times = snoozeTimes(now);
      expect([times.hour, times.tomorrow, times.monday].map(fieldTime)).toEqual([hour, tomorrow, monday]);
    },
  );
});

test.each([
  [0, '0 sec'],
  [59.9, '59 sec'],
  [60, '1 min'],
  [840, '14 min'],
  [3_600, '1 hr'],
  [7_500, '2 hr, 5 min'],
  [90_000, '1 day, 1 hr'],
])('%d seconds are written with their two largest units', (seconds, words) => {
  expect(durationInWords(seconds, 'en-US')).toBe(words.replace(',', ''));
});
