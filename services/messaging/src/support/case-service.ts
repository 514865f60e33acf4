import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { DEFAULT_LANGUAGE } from '@tutoring/shared/kit/process/language';
import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import type { AppError } from '@tutoring/shared/kit/errors';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Actor } from '@tutoring/shared/contract/admin-action';
import type { EventData } from '@tutoring/shared/contract/events';
import { publish } from '@tutoring/shared/contract/publish';
import { nothingToRate, senderBarred } from '../errors.ts';
import { timeAgo } from '../messages/time-ago.ts';
import type { Parts } from '../parts.ts';
import { listWithoutDesk, rememberAdmin, saveAdmins, shareAgents } from '../people/admin-store.ts';
import { isBarred, type Person } from '../people/person.ts';
import { shareDeleted } from '../people/person-store.ts';
import { showCase, type SeenCase, type ShownCase, type SupportCase } from './case.ts';
import { caseMove, caseMoves, MAX_RATING_LINES, type CaseMove } from './case-move.ts';
import * as store from './case-store.ts';
import type { SupportMessage, SupportRoom } from './support.ts';
import { listLastSupportMessages, lockSupportRoom } from './support-store.ts';

type RoomOfCase = Pick<SupportRoom, 'uuid' | 'user_id'>;

/** These cases as administrators see them. */
export async function presentCases(
  reader: Reader,
  seen: SeenCase[],
  personOf: (id: number) => Person,
): Promise<ShownCase[]> {
  const rooms = seen.map(({ room_uuid: uuid, room }) => ({ uuid, ...room }));
  const last = await listLastSupportMessages(reader, rooms);
  const lastOf = new Map(last.map((stored) => [stored.room_uuid, stored]));
  return seen.map((each) => showCase(each, personOf(each.user_id), lastOf.get(each.room_uuid)));
}

/** The cases as they are in this transaction. */
export async function presentNow(tx: Tx, { people }: Parts, ids: number[]): Promise<ShownCase[]> {
  const seen = await store.listSeenCases(tx, ids);
  const personOf = await people.known(
    seen.map(({ user_id }) => user_id),
    tx,
  );
  return presentCases(tx, seen, personOf);
}

/** Publishes changed cases to the desk, once each. */
async function publishCases(tx: Tx, parts: Parts, ids: number[]): Promise<void> {
  const shown = await presentNow(tx, parts, ids);
  publish(
    tx,
    shown.map((each) => {
      const { last_message: last, updated_at: now } = each;
      // One event goes to all administrators, whose languages may differ.
      const data = last && { ...last, time: timeAgo(last.created_at, now, DEFAULT_LANGUAGE) };
      return { to: 'admins', event: 'desk.case', data: { ...each, last_message: data } };
    }),
  );
}

interface Subject {
  room: RoomOfCase;
  current: SupportCase | undefined;
  /** The administrator who acts; null for the person and the system. */
  by: Actor | null;
}

/** Stores the result of the rules and publishes it. Returns the id of the case. The room must be locked. */
export async function saveMove(tx: Tx, parts: Parts, { room, current, by }: Subject, move: CaseMove): Promise<number> {
  const byId = by?.id ?? null;
  if (move.is === 'opened') {
    const { id } = await store.insertCase(tx, room, move.facts, byId);
    await store.insertEntries(tx, id, byId, move.entries);
    await publishCases(tx, parts, [id]);
    return id;
  }
  if (!current || move.is === 'refused') throw new Error('there is no case that this could change');
  if (move.is === 'same') return current.id;
  await store.updateCase(tx, current.id, move.change, byId);
  if (move.entries.length > 0) await store.insertEntries(tx, current.id, byId, move.entries);
  await publishCases(tx, parts, [current.id]);
  if (move.change.state === 'resolved') await publishResolved(tx, parts, room, current.id);
  return current.id;
}

async function publishResolved(tx: Tx, { people }: Parts, room: RoomOfCase, caseId: number): Promise<void> {
  const person = (await people.known([room.user_id], tx))(room.user_id);
  const data = { case_id: caseId, can_rate: !isBarred(person) };
  publish(tx, [{ to: { user: room.user_id }, event: 'support.resolved', data }]);
}

/** Whether the assignee may keep the case; share-locks that administrator. */
export const keepsAssignee = async (tx: Tx, current: Pick<SupportCase, 'assignee_id'> | undefined): Promise<boolean> =>
  current === undefined || current.assignee_id === null || (await shareAgents(tx, [current.assignee_id])).size > 0;

/** Throws `refusal` for a deleted account. Otherwise it is not deleted before `tx` ends. */
export async function assertLives(tx: Tx, userId: number, refusal: () => AppError): Promise<void> {
  assertThat((await shareDeleted(tx, [userId])).size === 0, refusal);
}

/** What a message of the person does with their case: opens, reopens or wakes it. The room must be locked. */
export async function followMessage(
  tx: Tx,
  parts: Parts,
  {
    room,
    stored,
    reopenHours,
  }: { room: RoomOfCase; stored: Pick<SupportMessage, 'message' | 'created_at'>; reopenHours: number },
): Promise<void> {
  const current = await store.findCurrentCase(tx, room.uuid);
  const isWaiting = current?.state === 'open' && current.waiting_since !== null;
  if (isWaiting) return;
  const keeps = await keepsAssignee(tx, current);
  const { message: text, created_at: at } = stored;
  const move = caseMove(current, { is: 'message', at, text, reopenHours, keeps });
  if (move.is === 'opened') await assertLives(tx, room.user_id, senderBarred);
  await saveMove(tx, parts, { room, current, by: null }, move);
}

/** What a reply does with the person's case; without a live one nothing. The room must be locked. */
export async function followReply(
  tx: Tx,
  parts: Parts,
  { room, at, by, resolve }: { room: RoomOfCase; at: string; by: AdminCaller; resolve: boolean },
): Promise<void> {
  const current = await store.findCurrentCase(tx, room.uuid);
  if (!current || current.state === 'resolved') return;
  await rememberAdmin(tx, by);
  const takes = current.assignee_id === null && (await shareAgents(tx, [by.id])).size > 0;
  const move = caseMoves(current, [
    { is: 'reply', at, by: by.id, takes },
    ...(resolve ? [{ is: 'resolve', at, by: by.id } as const] : []),
  ]);
  await saveMove(tx, parts, { room, current, by }, move);
}

/** Saves administrators; who has lost the right `desk` or is inactive loses the live cases. */
export async function followAdmins(tx: Tx, parts: Parts, admins: EventData<'admin.changed'>[]): Promise<void> {
  await saveAdmins(tx, admins);
  const lost = await listWithoutDesk(
    tx,
    admins.map(({ id }) => id),
  );
  if (lost.length === 0) return;
  const cases = await store.unassign(tx, lost);
  for (const { id, assignee_id: was } of cases)
    await store.insertEntries(tx, id, null, [{ event: 'assigned', was: String(was), becomes: null }]);
  await publishCases(
    tx,
    parts,
    cases.map(({ id }) => id),
  );
}

/** Erases what a deleted person's cases say about them; their numbers stay. */
export async function forgetCases(tx: Tx, parts: Parts, userId: number): Promise<void> {
  await publishCases(tx, parts, await store.eraseCases(tx, userId));
}

/** Rates the caller's last resolved case, or changes that rating. Throws conflict when there is none. */
export const rate = (parts: Parts, caller: UserCaller, { score, comment }: { score: number; comment: string | null }) =>
  parts.database.transact(async (tx) => {
    const found = await store.findLastResolved(tx, caller.id);
    assertThat(found, nothingToRate);
    const room = await store.lockRoomOfCase(tx, found.id);
    // The case may have been reopened before the lock.
    const current = await store.findLastResolved(tx, caller.id);
    assertThat(room && current, nothingToRate);
    await assertLives(tx, caller.id, senderBarred);
    const ratings = await store.countRatings(tx, current.id, MAX_RATING_LINES);
    const move = caseMove(current, { is: 'rate', at: await store.timeNow(tx), score, comment, ratings });
    assertThat(move.is !== 'refused', nothingToRate);
    await saveMove(tx, parts, { room, current, by: null }, move);
  });

const WAKE_BATCH = 100;

/** Does `work` for each item. The first failure is thrown only after all others are done. */
async function forEach<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Opens the snoozed cases whose time is over. Returns true when more may be left. */
export async function wakeDueCases(parts: Parts): Promise<boolean> {
  const due = await store.listDueCases(parts.database.manager, WAKE_BATCH);
  await forEach(due, ({ id }) =>
    parts.database.transact(async (tx) => {
      const room = await store.lockRoomOfCase(tx, id);
      const current = await store.findCase(tx, id);
      if (!room || !current) return;
      const move = caseMove(current, { is: 'due', at: await store.timeNow(tx) });
      await saveMove(tx, parts, { room, current, by: null }, move);
    }),
  );
  return due.length === WAKE_BATCH;
}

/** Opens cases for messages that a replica of the previous release has received. Returns true when more may be left. */
export async function followMissedMessages(parts: Parts): Promise<boolean> {
  const { desk_reopen_hours: reopenHours } = await parts.settings();
  const missed = await store.listMissed(parts.database.manager, WAKE_BATCH);
  await forEach(missed, ({ uuid }) =>
    parts.database.transact(async (tx) => {
      const room = await lockSupportRoom(tx, uuid);
      const stored = await store.findMissed(tx, uuid);
      if (room && stored) await followMessage(tx, parts, { room, stored, reopenHours });
    }),
  );
  return missed.length === WAKE_BATCH;
}
