import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import type { AddParameter } from '@tutoring/shared/kit/database/search';
import { exists, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';

const PERSON_COLUMNS = [
  'id',
  'platform',
  'status',
  'deleted',
  'name',
  'photo',
  'plan_id',
  'domains',
  'experience',
  'availability',
  'bio',
  'verified',
  'created_at',
  'updated_at',
] as const;

/** The fields of a student or teacher that this service uses. */
export type Person = Pick<EventData<'user.changed'>, (typeof PERSON_COLUMNS)[number]>;
export type Plan = EventData<'plan.changed'>;

/** Administrators also search by the e-mail, confirmed or not, and the phone number. */
const USER_COLUMNS = [...PERSON_COLUMNS, 'email', 'phone_number', 'version'] as const;
const PLAN_COLUMNS = ['id', 'name', 'points', 'image_cost', 'deleted', 'created_at', 'updated_at', 'version'] as const;

const SAVE_USERS = `${upsertNewerSql('user_copy', ['id'], USER_COLUMNS)} returning id`;
const SAVE_PLANS = upsertNewerSql('plan_copy', ['id'], PLAN_COLUMNS);
const SAVE_BLOCK = `${upsertNewerSql('block_copy', ['user_id', 'blocked_id'], ['user_id', 'blocked_id', 'active', 'version'])} returning active`;
const SAVE_REFUNDS = upsertNewerSql('refunds_copy', ['identifier'], ['identifier', 'refunded', 'version']);

/** Returns the users that were saved: those without a newer stored version. */
export const saveUsers = (tx: Tx, users: EventData<'user.changed'>[]) =>
  rows<{ id: number }>(tx, SAVE_USERS, [
    JSON.stringify(users.map((user) => ({ ...user, email: user.unproven_email ?? user.email }))),
  ]);

export const savePlans = (tx: Tx, plans: EventData<'plan.changed'>[]) => rows(tx, SAVE_PLANS, [JSON.stringify(plans)]);

export const saveRooms = (tx: Tx, rooms: Pick<EventData<'room.changed'>, 'uuid'>[]) =>
  rows(tx, 'insert into room_copy (uuid) select unnest($1::uuid[]) on conflict do nothing', [
    rooms.map(({ uuid }) => uuid),
  ]);

/** Returns no row when a newer version is stored. */
export const saveBlock = (tx: Tx, block: EventData<'block.changed'>) => rows(tx, SAVE_BLOCK, [JSON.stringify([block])]);

/** Whether one of the two has blocked the other. */
export const isBlocked = (reader: Reader, one: number, other: number) =>
  exists(
    reader,
    `select 1 from block_copy where user_id = $1 and blocked_id = $2 and active
     union all select 1 from block_copy where user_id = $2 and blocked_id = $1 and active limit 1`,
    [one, other],
  );

/** Deletes all blocks by or of a deleted user. */
export const deleteBlocks = (tx: Tx, userId: number) =>
  rows(tx, 'delete from block_copy where user_id = $1 or blocked_id = $1', [userId]);

export const isAnyDeleted = (reader: Reader, ids: number[]) =>
  exists(reader, 'select 1 from user_copy where id = any($1) and deleted limit 1', [ids]);

export const findPeople = (reader: Reader, ids: number[]) =>
  rows<Person>(reader, `select ${PERSON_COLUMNS.join(', ')} from user_copy where id = any($1)`, [ids]);

/** Like `findPeople`, but blocks a ban or deletion of these users until `tx` ends. */
export const lockPeople = (tx: Tx, ids: number[]) =>
  rows<Person>(tx, `select ${PERSON_COLUMNS.join(', ')} from user_copy where id = any($1) order by id for share`, [
    ids,
  ]);

export const saveRefunds = (tx: Tx, refunds: EventData<'refunds.changed'>[]) =>
  rows(tx, SAVE_REFUNDS, [JSON.stringify(refunds)]);

/**
 * SQL: the name or photo of the user with this id; empty when the user has no copy, which no call or booking allows.
 */
export const userColumnSql = (id: string, column: 'name' | 'photo') =>
  `coalesce((select ${column} from user_copy where id = ${id}), '')`;

export const findPlans = (reader: Reader, ids: number[]) =>
  rows<Plan>(reader, 'select * from plan_copy where id = any($1)', [ids]);

/** SQL conditions: the searched text is the id of the row or of a participant. */
export const idConditions = (given: string, value: AddParameter): string[] =>
  /^\d{1,15}$/.test(given) ? [`${value(given)} in (t.id, t.student_id, t.teacher_id)`] : [];

/** SQL conditions: the filter's user is a participant of the row. */
export function participantConditions(
  { user_id: id }: { user_id?: number | undefined },
  value: AddParameter,
): string[] {
  if (id === undefined) return [];
  const user = value(id);
  return [`(t.student_id = ${user} or t.teacher_id = ${user})`];
}
