import {
  assignments,
  dynamic,
  requiredRow,
  row,
  rows,
  value,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import type { SeenCase, SupportCase } from './case.ts';
import type { CaseEntry, CaseFacts } from './case-move.ts';
import type { SupportRoom } from './support.ts';

const COLUMNS = `id, room_uuid, user_id, state, assignee_id, labels, snoozed_until, subject, waiting_since,
  first_reply_at, opened_at, resolved_at, resolved_by, reopened, score, comment, rated_at, changed_by, version, created_at,
  updated_at`;
const OF_CASE = COLUMNS.replace(/\w+/g, 'c.$&');

/** The person's case that is not resolved, otherwise the one that was resolved last. Lock the room before. */
export const findCurrentCase = (tx: Tx, roomUuid: string) =>
  row<SupportCase>(
    tx,
    `select ${COLUMNS} from support_case where room_uuid = $1
     order by (state <> 'resolved') desc, resolved_at desc limit 1`,
    [roomUuid],
  );

/** The person's case that was resolved last; undefined while the one that was has been reopened. */
export const findLastResolved = (reader: Reader, userId: number) =>
  row<SupportCase>(
    reader,
    `select ${COLUMNS} from support_case c where user_id = $1 and state = 'resolved'
       and not exists (select from support_case live join support_case_event e on e.case_id = live.id
         where live.user_id = $1 and live.state <> 'resolved' and e.event = 'state' and e.at > c.resolved_at)
     order by resolved_at desc limit 1`,
    [userId],
  );

export const findCase = (reader: Reader, id: number) =>
  row<SupportCase>(reader, `select ${COLUMNS} from support_case where id = $1`, [id]);

/** Locks the room of a case, which every change of a case does first. */
export const lockRoomOfCase = (tx: Tx, id: number) =>
  row<Pick<SupportRoom, 'uuid' | 'user_id'>>(
    tx,
    `select uuid, user_id from support_room where uuid = (select room_uuid from support_case where id = $1)
     for no key update`,
    [id],
  );

/** Most unread messages that are counted. */
const MAX_UNREAD = 1_000;

const SEEN = `select ${OF_CASE}, a.name as assignee_name, (select app_now()) as now,
    json_build_object('user_read_id', r.user_read_id, 'staff_read_id', r.staff_read_id,
      'user_last_id', r.user_last_id, 'staff_last_id', r.staff_last_id) as room,
    case when r.user_last_id <= r.staff_read_id then 0 else (
      select count(*) from (select from support_message m
        where m.room_uuid = r.uuid and m.id > r.staff_read_id and not m.by_staff limit ${MAX_UNREAD}) m) end as unread
  from support_case c join support_room r on r.uuid = c.room_uuid left join admin_copy a on a.id = c.assignee_id`;

/** These cases, in this order. */
export async function listSeenCases(reader: Reader, ids: number[]): Promise<SeenCase[]> {
  if (ids.length === 0) return [];
  const found = await rows<SeenCase>(reader, `${SEEN} where c.id = any($1::bigint[])`, [ids]);
  const byId = new Map(found.map((seen) => [seen.id, seen]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The person's earlier cases, newest first. */
export const listEarlierCases = (reader: Reader, { id, user_id }: Pick<SupportCase, 'id' | 'user_id'>, limit: number) =>
  rows<SeenCase>(reader, `${SEEN} where c.user_id = $1 and c.id < $2 order by c.id desc limit $3`, [
    user_id,
    id,
    limit,
  ]);

/** A person's cases with ids below `before`, newest first. */
export const listCasesOf = (
  reader: Reader,
  userId: number,
  { before, limit }: { before: number | undefined; limit: number },
) =>
  rows<SupportCase>(
    reader,
    `select ${COLUMNS} from support_case where user_id = $1 and id < coalesce($2::bigint, 9223372036854775807)
     order by id desc limit $3`,
    [userId, before ?? null, limit],
  );

/** Inserts a case; its times are those of the opening. Violates an index while the person has another open case. */
export const insertCase = (
  tx: Tx,
  { uuid, user_id }: Pick<SupportRoom, 'uuid' | 'user_id'>,
  facts: CaseFacts,
  changedBy: number | null,
) =>
  requiredRow<SupportCase>(
    tx,
    `insert into support_case (room_uuid, user_id, state, assignee_id, subject, waiting_since, first_reply_at, opened_at,
       changed_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $8) returning ${COLUMNS}`,
    [
      uuid,
      user_id,
      facts.state,
      facts.assignee_id,
      facts.subject,
      facts.waiting_since,
      facts.first_reply_at,
      facts.opened_at,
      changedBy,
    ],
  );

/** Changes these columns; a change by an administrator gets a new version. */
export const updateCase = (tx: Tx, id: number, change: Partial<CaseFacts>, changedBy: number | null) => {
  const { sets, values } = assignments({ ...change, ...(changedBy !== null && { changed_by: changedBy }) }, 2);
  const version = changedBy === null ? [] : ['version = version + 1'];
  return rows(
    tx,
    dynamic(
      `update support_case set ${[...sets, ...version, 'updated_at = app_now()'].join(', ')} where id = $1 returning 1`,
    ),
    [id, ...values],
  );
};

/** Adds lines to the timeline of a case. */
export const insertEntries = (tx: Tx, caseId: number, byId: number | null, entries: CaseEntry[]) =>
  rows(
    tx,
    `insert into support_case_event (case_id, by_id, event, was, becomes, seconds, at)
     select $1, $2, event, was, becomes, seconds, (select app_now())
     from jsonb_to_recordset($3::jsonb) as entry (event text, was text, becomes text, seconds bigint)`,
    [caseId, byId, JSON.stringify(entries)],
  );

/** How many of the newest `last` lines of a timeline are ratings. */
export const countRatings = (tx: Tx, caseId: number, last: number) =>
  value<number>(
    tx,
    `select count(*) from (select event from support_case_event where case_id = $1 order by id desc limit $2) e
     where event = 'rated'`,
    [caseId, last],
  );

/** The live cases of these administrators, which lose them: returns the ids and the assignees before. */
export const unassign = (tx: Tx, adminIds: number[]) =>
  rows<{ id: number; assignee_id: number }>(
    tx,
    `with lost as (
       select id, assignee_id from support_case
       where assignee_id = any($1::bigint[]) and state <> 'resolved' order by id for no key update)
     update support_case c set assignee_id = null, updated_at = app_now() from lost where c.id = lost.id
     returning c.id, lost.assignee_id`,
    [adminIds],
  );

/** Clears what a person and the desk wrote in the person's cases; returns the ids of the cases that changed. */
export async function eraseCases(tx: Tx, userId: number): Promise<number[]> {
  await rows(tx, `delete from support_note n using support_case c where c.id = n.case_id and c.user_id = $1`, [userId]);
  const erased = await rows<{ id: number }>(
    tx,
    `update support_case set subject = '', comment = null, updated_at = app_now()
     where user_id = $1 and (subject <> '' or comment is not null) returning id`,
    [userId],
  );
  return erased.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** When the person's first message since the case began came that nobody has answered; null for none. */
export const unansweredSince = async (tx: Tx, id: number) =>
  (
    await row<{ created_at: string }>(
      tx,
      `select m.created_at from support_case c join support_room r on r.uuid = c.room_uuid
         join support_message m on m.room_uuid = r.uuid and m.id > r.staff_last_id and not m.by_staff
           and m.created_at >= c.created_at
       where c.id = $1 order by m.id limit 1`,
      [id],
    )
  )?.created_at ?? null;

/** Snoozed cases whose time is over, oldest first. */
export const listDueCases = (reader: Reader, limit: number) =>
  rows<{ id: number }>(
    reader,
    `select id from support_case where state = 'snoozed' and snoozed_until <= (select app_now())
     order by snoozed_until limit $1`,
    [limit],
  );

/** SQL interval until the next snoozed case is due; null for none. */
export const NEXT_DUE_IN = `(select min(snoozed_until) from support_case where state = 'snoozed') - app_now()`;

export const timeNow = async (tx: Tx) => (await requiredRow<{ now: string }>(tx, 'select app_now() as now')).now;

/**
 * The person's first message after the last answer and the last resolution, in rooms of the last days that have no case
 * for it: a replica of the previous release has received it. The age is longer than a rollback lasts, and keeps this from
 * reading every room that was resolved without an answer.
 */
const MISSED = `select r.uuid, first.message, first.created_at from support_room r cross join lateral (
    select m.message, m.created_at from support_message m
    where m.room_uuid = r.uuid and m.id > r.staff_last_id and not m.by_staff and m.created_at > coalesce(
      (select max(c.resolved_at) from support_case c where c.room_uuid = r.uuid), '-infinity')
    order by m.id limit 1) first
  where r.user_last_id > r.staff_last_id and r.updated_at > (select app_now()) - interval '14 days'
    and not exists (select from user_copy u where u.id = r.user_id and u.deleted offset 0)
    and not exists (select from support_case c where c.room_uuid = r.uuid
      and (c.state <> 'resolved' or c.resolved_at >= r.last_message_at) offset 0)`;
type Missed = { uuid: string; message: string; created_at: string };

/** Missed messages, one a room. */
export const listMissed = (reader: Reader, limit: number) =>
  rows<Missed>(reader, `${MISSED} order by r.updated_at limit $1`, [limit]);

/** The missed message of a room, which must be locked. */
export const findMissed = (tx: Tx, uuid: string) => row<Missed>(tx, `${MISSED} and r.uuid = $1`, [uuid]);
