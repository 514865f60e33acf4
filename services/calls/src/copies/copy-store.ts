import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** What this service needs to know about a student or teacher. */
export interface Person {
  id: number;
  platform: 'student' | 'teacher';
  status: 'active' | 'banned';
  deleted: boolean;
  name: string;
  photo: string;
  plan_id: number | null;
  domains: string[];
  experience: number;
  availability: string;
  bio: string | null;
  verified: boolean;
  created_at: string;
  updated_at: string;
}

export interface Plan {
  id: number;
  name: string;
  points: number;
  image_cost: number;
  created_at: string;
  updated_at: string;
}

/** SQL that replaces the copy by a snapshot unless the snapshot is older. */
const upsert = (table: string, key: string, columns: string[]) => `
  insert into ${table} (${[key, ...columns].join(', ')})
  values (${[key, ...columns].map((_, index) => `$${index + 1}`).join(', ')})
  on conflict (${key}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  where excluded.version >= ${table}.version returning ${key}`;

const USER = [
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
  'version',
] as const;
const PLAN = ['name', 'points', 'image_cost', 'deleted', 'created_at', 'updated_at', 'version'] as const;

const SAVE_USER = upsert('user_copy', 'id', [...USER]);
const SAVE_PLAN = upsert('plan_copy', 'id', [...PLAN]);
const SAVE_REFUNDS = upsert('refunds_copy', 'identifier', ['refunded', 'version']);
const SAVE_SETTING = upsert('setting_copy', 'name', ['value', 'version']);

export const saveUser = (tx: Tx, user: EventData<'user.changed'>) =>
  rows(tx, SAVE_USER, [user.id, ...USER.map((column) => user[column])]);

export const savePlan = (tx: Tx, plan: EventData<'plan.changed'>) =>
  rows(tx, SAVE_PLAN, [plan.id, ...PLAN.map((column) => plan[column])]);

export const saveSetting = (tx: Tx, setting: EventData<'setting.changed'>) =>
  rows(tx, SAVE_SETTING, [setting.name, setting.value, setting.version]);

export const saveRoom = (tx: Tx, uuid: string) =>
  rows(tx, 'insert into room_copy (uuid) values ($1) on conflict do nothing', [uuid]);

/**
 * Saves a block. Returns no row, and saves nothing, when a newer version is stored or one of the two is deleted. The
 * caller must have locked both with `lockCallers`, or a simultaneous deletion would miss the block.
 */
export const saveBlock = (tx: Tx, block: EventData<'block.changed'>) =>
  rows(
    tx,
    `insert into block_copy (user_id, blocked_id, active, version) select $1, $2, $3, $4
     where not exists (select from user_copy where id in ($1, $2) and deleted)
     on conflict (user_id, blocked_id) do update set active = excluded.active, version = excluded.version
     where excluded.version >= block_copy.version returning 1`,
    [block.user_id, block.blocked_id, block.active, block.version],
  );

/** Whether one of the two has blocked the other. */
export const isBlocked = async (reader: Reader, one: number, other: number) =>
  (await row(
    reader,
    `select 1 from block_copy where user_id = $1 and blocked_id = $2 and active
     union all select 1 from block_copy where user_id = $2 and blocked_id = $1 and active limit 1`,
    [one, other],
  )) !== undefined;

/** Deletes every block by or of a deleted user. */
export const forgetBlocks = (tx: Tx, userId: number) =>
  rows(tx, 'delete from block_copy where user_id = $1 or blocked_id = $1', [userId]);

export const findPerson = (reader: Reader, id: number) =>
  row<Person>(reader, 'select * from user_copy where id = $1', [id]);

export const findPeople = (reader: Reader, ids: number[]) =>
  rows<Pick<Person, 'id' | 'name' | 'photo'>>(reader, 'select id, name, photo from user_copy where id = any($1)', [
    ids,
  ]);

export const saveRefunds = (tx: Tx, { identifier, refunded, version }: EventData<'refunds.changed'>) =>
  rows(tx, SAVE_REFUNDS, [identifier, refunded, version]);

/** The refunds of these calls; calls without one are left out. */
export const findRefunds = (reader: Reader, identifiers: string[]) =>
  rows<{ identifier: string; refunded: number }>(
    reader,
    'select identifier, refunded from refunds_copy where identifier = any($1)',
    [identifiers],
  );

export const findPlan = (reader: Reader, id: number) =>
  row<Plan>(reader, 'select * from plan_copy where id = $1', [id]);

/** The defaults until identity's first event about a setting. */
const DEFAULTS = {
  commission_percent: 0,
  call_ring_timeout_seconds: 45,
  require_verified_teacher: 0,
  max_free_rings: 10,
};
export type Settings = typeof DEFAULTS;

export async function readSettings(reader: Reader): Promise<Settings> {
  const told = await rows<{ name: string; value: number }>(
    reader,
    'select name, value from setting_copy where name = any($1)',
    [Object.keys(DEFAULTS)],
  );
  return { ...DEFAULTS, ...Object.fromEntries(told.map(({ name, value }) => [name, value])) };
}
