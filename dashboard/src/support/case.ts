import type { components } from '@tutoring/client/schema';
import type { Message } from './room.ts';

/* The pure rules of the list of cases. */

export type Case = components['schemas']['MessagingSupportCase'];
export type CaseDetail = components['schemas']['MessagingSupportCaseDetail'];
export type Note = CaseDetail['notes'][number];
export type State = Case['state'];

/** The filters of the list, in the order shown. */
export const SHOWS = ['open', 'mine', 'unassigned', 'snoozed', 'resolved'] as const;
export type Show = (typeof SHOWS)[number];

export const toShow = (text: string | null): Show => SHOWS.find((show) => show === text) ?? 'open';

/** What the list shows. A search covers all cases, whatever `show`. */
export interface Choice {
  show: Show;
  /** Only cases with this label; empty for all. */
  label: string;
  /** The search text; empty without a search. */
  q: string;
}

const FILTERS = {
  open: { state: 'open' },
  mine: { state: 'open', assignee: 'me' },
  unassigned: { state: 'open', assignee: 'none' },
  snoozed: { state: 'snoozed' },
  resolved: { state: 'resolved', sort: 'newest' },
} as const satisfies Record<Show, object>;

/** The body of `casesall` without the page. */
export const filterOf = ({ show, q, label }: Choice) => ({
  ...(q === '' ? FILTERS[show] : { q }),
  ...(label !== '' && { label }),
});

/** Whether a case belongs to the filters, for the administrator `me`. */
export function belongsTo(
  { state, assignee, labels }: Case,
  { show, label }: Pick<Choice, 'show' | 'label'>,
  me: number | undefined,
): boolean {
  if (label !== '' && !labels.includes(label)) return false;
  if (show === 'snoozed' || show === 'resolved') return state === show;
  if (state !== 'open') return false;
  return show === 'open' || (show === 'mine' ? assignee?.id === me : assignee === null);
}

/** The labels of these cases, in the order of the alphabet. */
export const labelsOf = (cases: Case[]): string[] =>
  [...new Set(cases.flatMap(({ labels }) => labels))].sort((one, other) => one.localeCompare(other));

/** The start of the wait, in milliseconds; Infinity for a case that does not wait. */
export const waitingFrom = ({ waiting_since: since }: Case) => (since === null ? Infinity : Date.parse(since));

/**
 * The cases to show: without duplicates and without cases that have left the filter, except the open one. The longest
 * wait comes first; resolved cases and the results of a search keep the server's order. `frozen` has the starts of the
 * waits of cases when they were opened: they keep their position while the administrator moves from case to case.
 */
export function shownCases(
  cases: Case[],
  { show, q, label }: Choice,
  { me, openId, frozen }: { me: number | undefined; openId: number | undefined; frozen: ReadonlyMap<number, number> },
): Case[] {
  const unique = [...new Map(cases.map((each) => [each.id, each])).values()];
  if (q !== '') return unique;
  const shown = unique.filter((each) => each.id === openId || belongsTo(each, { show, label }, me));
  if (show === 'resolved') return shown;
  const from = (each: Case) => Math.min(frozen.get(each.id) ?? Infinity, waitingFrom(each));
  return shown.sort((left, right) => (from(left) === from(right) ? left.id - right.id : from(left) - from(right)));
}

export type Page = { data: Case[] };

/** The pages with a changed case: replaced where it is, or else added if it belongs to the list. */
export function withCase<P extends Page>(pages: P[], changed: Case, choice: Choice, me: number | undefined): P[] {
  const isListed = pages.some(({ data }) => data.some(({ id }) => id === changed.id));
  if (isListed)
    return pages.map((page) => ({
      ...page,
      data: page.data.map((each) => (each.id === changed.id ? changed : each)),
    }));
  if (choice.q !== '' || !belongsTo(changed, choice, me)) return pages;
  return pages.map((page, index) => (index === 0 ? { ...page, data: [changed, ...page.data] } : page));
}

/** The case with a new message of its room. A message that the case already has changes nothing. */
export function withMessageOf(of: Case, message: Message): Case {
  if (of.room_uuid !== message.room_uuid) return of;
  if (of.last_message !== null && of.last_message.id >= message.id) return of;
  const isUnread = message.sender_id === of.user.id && message.status === 'unread';
  return { ...of, last_message: message, unread: isUnread ? of.unread + 1 : of.unread };
}

/** The case after an administrator has read its room. */
export const asRead = (of: Case, uuid: string): Case =>
  of.room_uuid !== uuid || of.unread === 0
    ? of
    : { ...of, unread: 0, last_message: of.last_message && { ...of.last_message, status: 'read' as const } };

export type Line = { message: Message } | { note: Note };

const timeOf = (line: Line) => Date.parse('note' in line ? line.note.created_at : line.message.created_at);

/**
 * Messages, oldest first, with the notes between them. While older messages are not loaded, notes from their time are
 * left out.
 */
export function withNotes(messages: Message[], notes: Note[], isWhole: boolean): Line[] {
  const [first] = messages;
  const since = isWhole || !first ? -Infinity : Date.parse(first.created_at);
  const lines: Line[] = [...messages.map((message) => ({ message })), ...notes.map((note) => ({ note }))];
  return lines.filter((line) => timeOf(line) >= since).sort((left, right) => timeOf(left) - timeOf(right));
}
