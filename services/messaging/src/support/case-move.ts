import type { CaseState } from '@tutoring/shared/contract/desk';

/* The rules of a support case: what each event does in each state. Times are those of the database. */

/** The part of a case that its rules read and change. */
export interface CaseFacts {
  state: CaseState;
  assignee_id: number | null;
  labels: string[];
  snoozed_until: string | null;
  subject: string;
  waiting_since: string | null;
  first_reply_at: string | null;
  opened_at: string;
  resolved_at: string | null;
  /** Who resolved it last: the score is that administrator's, after a reopening too. */
  resolved_by: number | null;
  reopened: number;
  score: number | null;
  comment: string | null;
  rated_at: string | null;
}

export type CaseEvent =
  /** The person wrote. `keeps`: the assignee still has the right `desk`. */
  | { is: 'message'; at: string; text: string; reopenHours: number; keeps: boolean }
  /** An administrator wrote. `takes`: may be assigned. */
  | { is: 'reply'; at: string; by: number; takes: boolean }
  /** The time of a snoozed case is over. */
  | { is: 'due'; at: string }
  /** An administrator opens the case. `unanswered`: when the first message since it began came that nobody answered. */
  | { is: 'open'; at: string; unanswered: string | null; keeps: boolean }
  | { is: 'snooze'; until: string | null }
  | { is: 'resolve'; at: string; by: number }
  | { is: 'assign'; to: number | null }
  | { is: 'label'; labels: string[] }
  | { is: 'rename'; subject: string }
  /** The person rates. `ratings`: how many of the newest `MAX_RATING_LINES` lines of the timeline are ratings. */
  | { is: 'rate'; at: string; score: number; comment: string | null; ratings: number };

/** A line of the timeline, without time and author. */
export interface CaseEntry {
  event: 'opened' | 'reopened' | 'woken' | 'assigned' | 'state' | 'labels' | 'subject' | 'snoozed' | 'rated';
  was: string | null;
  becomes: string | null;
  /** Of a resolution: since the last opening. */
  seconds?: number;
}

export type CaseMove =
  /** A new case begins. */
  | { is: 'opened'; facts: CaseFacts; entries: CaseEntry[] }
  | { is: 'moved'; change: Partial<CaseFacts>; entries: CaseEntry[] }
  | { is: 'same' }
  | { is: 'refused' };

const SAME: CaseMove = { is: 'same' };
const REFUSED: CaseMove = { is: 'refused' };
const HOUR_MS = 3_600_000;
const SUBJECT_LENGTH = 120;
/** How long a resolved case can be rated. */
const RATING_MS = 7 * 24 * HOUR_MS;
/** Most lines in a row for a rating that is changed again and again. */
export const MAX_RATING_LINES = 20;

const entry = (event: CaseEntry['event'], was: string | null = null, becomes: string | null = null): CaseEntry => ({
  event,
  was,
  becomes,
});
const idText = (id: number | null) => (id === null ? null : String(id));
const isSameList = (one: string[], other: string[]) =>
  one.length === other.length && one.every((text, index) => text === other[index]);
const msBetween = (from: string, to: string) => Date.parse(to) - Date.parse(from);

/** The subject of a case that begins with this message. */
export const subjectOf = (text: string): string =>
  [...text.slice(0, 2 * SUBJECT_LENGTH)].slice(0, SUBJECT_LENGTH).join('');

const newCase = (at: string, text: string): CaseFacts => ({
  state: 'open',
  assignee_id: null,
  labels: [],
  snoozed_until: null,
  subject: subjectOf(text),
  waiting_since: at,
  first_reply_at: null,
  opened_at: at,
  resolved_at: null,
  resolved_by: null,
  reopened: 0,
  score: null,
  comment: null,
  rated_at: null,
});

/** A case that an administrator begins with a message. `takes`: may be assigned. */
export const begunCase = (at: string, text: string, { by, takes }: { by: number; takes: boolean }): CaseMove => ({
  is: 'opened',
  facts: { ...newCase(at, text), assignee_id: takes ? by : null, waiting_since: null, first_reply_at: at },
  entries: [entry('opened'), ...(takes ? [entry('assigned', null, String(by))] : [])],
});

/** Without its assignee, who may no longer have cases. */
function released({ assignee_id }: CaseFacts, keeps: boolean) {
  const isLost = assignee_id !== null && !keeps;
  return {
    change: isLost ? { assignee_id: null } : {},
    entries: isLost ? [entry('assigned', String(assignee_id), null)] : [],
  };
}

function reopened(facts: CaseFacts, at: string, waitingSince: string | null, keeps: boolean): CaseMove {
  const { change, entries } = released(facts, keeps);
  return {
    is: 'moved',
    change: {
      state: 'open',
      resolved_at: null,
      opened_at: at,
      waiting_since: waitingSince,
      reopened: facts.reopened + 1,
      ...change,
    },
    entries: [entry('reopened'), ...entries],
  };
}

const WAKEN = { state: 'open', snoozed_until: null } as const;

function onMessage(facts: CaseFacts | undefined, event: Extract<CaseEvent, { is: 'message' }>): CaseMove {
  const { at, text, reopenHours, keeps } = event;
  if (facts?.state === 'open') return facts.waiting_since ? SAME : moved({ waiting_since: at });
  if (facts?.state === 'snoozed') {
    const { change, entries } = released(facts, keeps);
    const waiting = { waiting_since: facts.waiting_since ?? at };
    return moved({ ...WAKEN, ...waiting, ...change }, entry('woken'), ...entries);
  }
  const isRecent = facts?.resolved_at && msBetween(facts.resolved_at, at) < reopenHours * HOUR_MS;
  if (facts && isRecent) return reopened(facts, at, at, keeps);
  return { is: 'opened', facts: newCase(at, text), entries: [entry('opened')] };
}

const moved = (change: Partial<CaseFacts>, ...entries: CaseEntry[]): CaseMove => ({ is: 'moved', change, entries });

function onReply(facts: CaseFacts, { at, by, takes }: Extract<CaseEvent, { is: 'reply' }>): CaseMove {
  if (facts.state === 'resolved') return SAME;
  const isTaken = facts.assignee_id === null && takes;
  const change: Partial<CaseFacts> = {
    ...(facts.first_reply_at === null && { first_reply_at: at }),
    ...(facts.waiting_since !== null && { waiting_since: null }),
    ...(isTaken && { assignee_id: by }),
  };
  if (Object.keys(change).length === 0) return SAME;
  return moved(change, ...(isTaken ? [entry('assigned', null, String(by))] : []));
}

function onSnooze(facts: CaseFacts, until: string | null): CaseMove {
  if (facts.state === 'resolved') return REFUSED;
  if (facts.state === 'snoozed' && facts.snoozed_until === until) return SAME;
  return moved({ state: 'snoozed', snoozed_until: until }, entry('snoozed', facts.snoozed_until, until));
}

function onResolve(facts: CaseFacts, { at, by }: Extract<CaseEvent, { is: 'resolve' }>): CaseMove {
  if (facts.state === 'resolved') return SAME;
  const seconds = Math.max(0, Math.round(msBetween(facts.opened_at, at) / 1_000));
  const change = { resolved_at: at, resolved_by: by, waiting_since: null, snoozed_until: null };
  return moved({ state: 'resolved', ...change }, { ...entry('state', facts.state, 'resolved'), seconds });
}

function onRate(facts: CaseFacts, event: Extract<CaseEvent, { is: 'rate' }>): CaseMove {
  const { at, score, comment, ratings } = event;
  if (facts.resolved_at === null || msBetween(facts.resolved_at, at) > RATING_MS) return REFUSED;
  if (facts.score === score && facts.comment === comment) return SAME;
  const isNoted = ratings < MAX_RATING_LINES;
  const change = { score, comment, rated_at: at };
  return moved(change, ...(isNoted ? [entry('rated', idText(facts.score), String(score))] : []));
}

/**
 * The effect of an event on the person's case: the one that is not resolved, or the last one; undefined for none. Pass
 * undefined only for a message. `refused`: the state does not allow the event. `same`: nothing changes, and nothing is
 * published.
 */
export function caseMove(facts: CaseFacts | undefined, event: CaseEvent): CaseMove {
  if (event.is === 'message') return onMessage(facts, event);
  if (!facts) return SAME;
  switch (event.is) {
    case 'reply':
      return onReply(facts, event);
    case 'due': {
      const isDue = facts.state === 'snoozed' && facts.snoozed_until !== null && facts.snoozed_until <= event.at;
      return isDue ? moved(WAKEN, entry('woken')) : SAME;
    }
    case 'open':
      if (facts.state === 'resolved') return reopened(facts, event.at, event.unanswered, event.keeps);
      return facts.state === 'snoozed' ? moved(WAKEN, entry('woken')) : SAME;
    case 'snooze':
      return onSnooze(facts, event.until);
    case 'resolve':
      return onResolve(facts, event);
    case 'assign':
      if (facts.assignee_id === event.to) return SAME;
      return moved({ assignee_id: event.to }, entry('assigned', idText(facts.assignee_id), idText(event.to)));
    case 'label':
      if (isSameList(facts.labels, event.labels)) return SAME;
      return moved({ labels: event.labels }, entry('labels', facts.labels.join(', '), event.labels.join(', ')));
    case 'rename':
      return facts.subject === event.subject ? SAME : moved({ subject: event.subject }, entry('subject'));
    case 'rate':
      return onRate(facts, event);
  }
}

/** The effect of several events on an existing case, together. The first refusal refuses them all. */
export function caseMoves(facts: CaseFacts, events: CaseEvent[]): CaseMove {
  let current = facts;
  const change: Partial<CaseFacts> = {};
  const entries: CaseEntry[] = [];
  for (const event of events) {
    const move = caseMove(current, event);
    if (move.is === 'refused') return move;
    if (move.is !== 'moved') continue;
    current = { ...current, ...move.change };
    Object.assign(change, move.change);
    entries.push(...move.entries);
  }
  return entries.length === 0 && Object.keys(change).length === 0 ? SAME : { is: 'moved', change, entries };
}
