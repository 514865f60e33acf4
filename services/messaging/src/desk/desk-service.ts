import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { cannotSnooze, caseNotFound, changedMeanwhile, hasOpenCase, personDeleted, recipientGone } from '../errors.ts';
import { assertLength } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { adminNames, rememberAdmin, shareAgents } from '../people/admin-store.ts';
import type { ShownCase, SupportCase } from '../support/case.ts';
import { begunCase, caseMoves, type CaseEvent } from '../support/case-move.ts';
import { assertLives, keepsAssignee, presentCases, presentNow, saveMove } from '../support/case-service.ts';
import * as store from '../support/case-store.ts';
import { lockRoomOf, writeMessage } from '../support/support-service.ts';
import { showLine, type CaseChange, type NewCase } from './desk-case.ts';
import { isWithinYear, listLines } from './desk-store.ts';
import { showNote } from './note.ts';
import { listNotes } from './note-store.ts';

/** Earlier cases beside the one that is shown. */
const MAX_OTHERS = 100;

/** These cases, in this order, as administrators see them. */
export async function showCases({ database, people }: Parts, ids: number[]): Promise<ShownCase[]> {
  const { manager } = database.standby;
  const seen = await store.listSeenCases(manager, ids);
  return presentCases(manager, seen, await people.load(seen.map(({ user_id }) => user_id)));
}

/** A case with its notes, its timeline and the person's earlier cases; undefined for an unknown id. */
export async function readCase({ database, people }: Parts, id: number) {
  const { manager } = database;
  const [found] = await store.listSeenCases(manager, [id]);
  if (!found) return undefined;
  const [notes, lines, others, personOf] = await Promise.all([
    listNotes(manager, id),
    listLines(manager, id),
    store.listEarlierCases(manager, found, MAX_OTHERS),
    people.load([found.user_id]),
  ]);
  const assigned = lines.filter(({ event }) => event === 'assigned').flatMap(({ was, becomes }) => [was, becomes]);
  const nameOf = await adminNames(manager, [
    ...notes.map(({ author_id }) => author_id),
    ...lines.map(({ by_id }) => by_id),
    ...assigned.map((text) => (text === null ? null : Number(text))),
  ]);
  const [shown, ...rest] = await presentCases(manager, [found, ...others], personOf);
  return {
    ...shown!,
    notes: notes.map((stored) => showNote(stored, nameOf)),
    timeline: lines.map((line) => showLine(line, nameOf)),
    others: rest,
  };
}

/** Begins a case with a message to the person. Throws conflict while another one is open or snoozed. */
export async function beginCase(parts: Parts, admin: AdminCaller, { user_id: userId, message }: NewCase, once: Once) {
  const { database } = parts;
  const limits = await parts.settings();
  return once(database, async (tx) => {
    assertLength({ message }, limits);
    await rememberAdmin(tx, admin);
    const room = await lockRoomOf(tx, userId);
    await assertLives(tx, userId, recipientGone);
    const current = await store.findCurrentCase(tx, room.uuid);
    assertThat(!current || current.state === 'resolved', hasOpenCase);
    const takes = (await shareAgents(tx, [admin.id])).size > 0;
    const { stored } = await writeMessage(tx, parts, room, { caller: admin, body: { message, type: 'message' } });
    const move = begunCase(stored.created_at, stored.message, { by: admin.id, takes });
    const id = await saveMove(tx, parts, { room, current: undefined, by: admin }, move);
    return (await presentNow(tx, parts, [id]))[0]!;
  });
}

const canonical = (time: string) => `${new Date(time).toISOString().slice(0, -1)}000Z`;

const notSnoozable = () => invalidField('snoozed_until', sentences.invalid);

/** Throws invalid for a time that fits no case. */
async function assertTime(tx: Tx, { state = 'snoozed', snoozed_until: until }: CaseChange): Promise<void> {
  if (typeof until !== 'string') return;
  assertThat(state === 'snoozed' && (await isWithinYear(tx, Date.parse(until))), notSnoozable);
}

/** The requested change of the state, if any. Throws invalid for a time of a case that is not snoozed. */
async function stateEvent(tx: Tx, current: SupportCase, change: CaseChange, by: number): Promise<CaseEvent[]> {
  const { state = current.state, snoozed_until: until } = change;
  if (typeof until === 'string') assertThat(state === 'snoozed', notSnoozable);
  const at = await store.timeNow(tx);
  if (state === 'open') {
    const unanswered = await store.unansweredSince(tx, current.id);
    return [{ is: 'open', at, unanswered, keeps: await keepsAssignee(tx, current) }];
  }
  if (state === 'resolved') return [{ is: 'resolve', at, by }];
  const kept = current.state === 'snoozed' ? current.snoozed_until : null;
  return [{ is: 'snooze', until: until === undefined ? kept : until && canonical(until) }];
}

function otherEvents({ assignee_id: to, labels, subject }: CaseChange): CaseEvent[] {
  const events: CaseEvent[] = [];
  if (to !== undefined) events.push({ is: 'assign', to });
  if (labels !== undefined) events.push({ is: 'label', labels: [...new Set(labels)] });
  if (subject !== undefined) events.push({ is: 'rename', subject });
  return events;
}

/** Throws unless the case may be opened again, when the change does that. */
async function assertAlone(tx: Tx, current: SupportCase, { state }: CaseChange): Promise<void> {
  assertThat(current.state !== 'resolved' || state !== 'snoozed', cannotSnooze);
  if (current.state !== 'resolved' || state !== 'open') return;
  const live = await store.findCurrentCase(tx, current.room_uuid);
  assertThat(live?.state === 'resolved', hasOpenCase);
}

/** Changes a case. Throws conflict for another version than expected, and for a state that cannot follow. */
export const changeCase = (parts: Parts, admin: AdminCaller, id: number, change: CaseChange): Promise<ShownCase> =>
  parts.database.transact(async (tx) => {
    const { expected_version: expected, assignee_id: to } = change;
    await assertTime(tx, change);
    await rememberAdmin(tx, admin);
    if (typeof to === 'number')
      assertThat((await shareAgents(tx, [to])).has(to), () => invalidField('assignee_id', sentences.selected));
    const room = await store.lockRoomOfCase(tx, id);
    const current = room && (await store.findCase(tx, id));
    assertThat(room && current, caseNotFound);
    if (expected !== undefined && expected !== current.version) {
      const { changed_by: by } = current;
      throw changedMeanwhile(by === null ? '' : (await adminNames(tx, [by]))(by));
    }
    await assertAlone(tx, current, change);
    if (change.subject !== undefined && change.subject !== current.subject)
      await assertLives(tx, room.user_id, personDeleted);
    const events = [...(await stateEvent(tx, current, change, admin.id)), ...otherEvents(change)];
    const move = caseMoves(current, events);
    assertThat(move.is !== 'refused', cannotSnooze);
    await saveMove(tx, parts, { room, current, by: admin }, move);
    return (await presentNow(tx, parts, [id]))[0]!;
  });
