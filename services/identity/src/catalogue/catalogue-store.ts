import { column, exists, insert, row, rows, update, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { NewPlan, Plan, PlanChange, Skill } from './catalogue.ts';

const SKILL = 'id, name, created_at, updated_at';
const PLAN = 'id, name, points, image_cost, deleted, version, created_at, updated_at';

export const listSkills = (reader: Reader) => rows<Skill>(reader, `select ${SKILL} from skill order by id`);
export const listPlans = (reader: Reader) =>
  rows<Plan>(reader, `select ${PLAN} from plan where not deleted order by id`);
/** Every plan, deleted ones included, for `events resync`. */
export const allPlans = (reader: Reader) => rows<Plan>(reader, `select ${PLAN} from plan order by id`);
/** The plan, also when it is deleted. */
export const findPlan = (reader: Reader, id: number) =>
  row<Plan>(reader, `select ${PLAN} from plan where id = $1`, [id]);

export const planExists = (reader: Reader, id: number) =>
  exists(reader, 'select 1 from plan where id = $1 and not deleted', [id]);

export const existingSkills = async (reader: Reader, ids: number[]) =>
  new Set(await column<number>(reader, 'select id from skill where id = any($1::bigint[])', [ids]));

const SKILL_NAMES = `select s.name
  from unnest($1::bigint[]) with ordinality as w(id, position) join skill s on s.id = w.id
  group by s.id, s.name order by min(w.position)`;

/** Names of the skills, in the order of the ids. */
export const skillNames = (reader: Reader, ids: number[]) => column<string>(reader, SKILL_NAMES, [ids]);

export const lockSkill = (tx: Tx, id: number) =>
  row<Skill>(tx, `select ${SKILL} from skill where id = $1 for update`, [id]);
export const lockPlan = (tx: Tx, id: number) =>
  row<Plan>(tx, `select ${PLAN} from plan where id = $1 and not deleted for update`, [id]);

export const insertSkill = (tx: Tx, name: string) => insert<Skill>(tx, 'skill', { name }, `returning ${SKILL}`);
export const renameSkill = (tx: Tx, id: number, name: string) =>
  row<Skill>(tx, `update skill set name = $2, updated_at = app_now() where id = $1 returning ${SKILL}`, [id, name]);
/** Violates a foreign key while an account has the skill. */
export const deleteSkill = (tx: Tx, id: number) => rows(tx, 'delete from skill where id = $1', [id]);

const MARK_HOLDERS_STALE = `insert into stale_account (account_id)
  select account_id from account_skill where skill_id = $1 on conflict do nothing`;

/** A job then publishes `user.changed` for every user with the skill. */
export const markHoldersStale = (tx: Tx, skillId: number) => rows(tx, MARK_HOLDERS_STALE, [skillId]);

export const insertPlan = (tx: Tx, plan: NewPlan) => insert<Plan>(tx, 'plan', plan, `returning ${PLAN}`);

export const updatePlan = (tx: Tx, id: number, change: PlanChange & { deleted?: true }) =>
  update<Plan>(tx, 'plan', { id, returning: PLAN }, change);

const PLAN_NAME_TAKEN = 'select 1 from plan where lower(name) = lower($1) and not deleted and id is distinct from $2';

export const planNameTaken = (reader: Reader, name: string, exceptId: number | null) =>
  exists(reader, PLAN_NAME_TAKEN, [name, exceptId]);

const PLAN_IN_USE = `select 1 where exists (select from account where plan_id = $1 and deleted_at is null)
  or exists (select from registration where plan_id = $1)`;

export const planInUse = (reader: Reader, id: number) => exists(reader, PLAN_IN_USE, [id]);

export const catalogueIsEmpty = async (reader: Reader) =>
  !(await exists(reader, 'select 1 where exists (select from plan) or exists (select from skill)'));
