import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { sqlState } from '@tutoring/shared/kit/database/refusals';
import { publish } from '@tutoring/shared/contract/publish';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { recordAction } from '../audit/audit-service.ts';
import { conflict, found, refuseTaken, violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as store from './catalogue-store.ts';
import { planViewOf, type NewPlan, type PlanChange, SEEDED_PLANS, SEEDED_SKILLS } from './catalogue.ts';

const FOREIGN_KEY = '23503';

/** For `catch`: turns a violated constraint of the catalogue into conflict or a validation error. */
function refuse(error: unknown): never {
  if (sqlState(error) === FOREIGN_KEY) throw conflict(texts.inUse);
  return refuseTaken(error);
}

const change = <T>({ database }: Parts, work: (tx: Tx) => Promise<T>) => database.transact(work).catch(refuse);

export const createSkill = (parts: Parts, caller: AdminCaller, name: string) =>
  change(parts, async (tx) => {
    const skill = found(await store.insertSkill(tx, name));
    await recordAction(tx, caller, 'skill.created', `skill:${skill.id}`, { after: { name } });
    return skill;
  });

/** A job then publishes `user.changed` for every user with the skill. */
export async function renameSkill(parts: Parts, caller: AdminCaller, id: number, name: string) {
  const skill = await change(parts, async (tx) => {
    const before = found(await store.lockSkill(tx, id));
    if (before.name === name) return before;
    const after = found(await store.renameSkill(tx, id, name));
    await store.markHoldersStale(tx, id);
    const facts = { before: { name: before.name }, after: { name } };
    await recordAction(tx, caller, 'skill.updated', `skill:${id}`, facts);
    return after;
  });
  parts.wakeJob('stale');
  return skill;
}

export const deleteSkill = (parts: Parts, caller: AdminCaller, id: number) =>
  change(parts, async (tx) => {
    const { name } = found(await store.lockSkill(tx, id));
    await store.deleteSkill(tx, id);
    await recordAction(tx, caller, 'skill.deleted', `skill:${id}`, { before: { name } });
    return { message: texts.deleted };
  });

/** The name must not belong to another plan. */
export async function takenPlanName({ database }: Parts, name: string | undefined, exceptId: number | undefined) {
  const isTaken = name !== undefined && (await store.planNameTaken(database.manager, name, exceptId ?? null));
  return violations([isTaken, 'name', sentences.taken]);
}

export const createPlan = (parts: Parts, caller: AdminCaller, fields: NewPlan) =>
  change(parts, async (tx) => {
    const plan = found(await store.insertPlan(tx, fields));
    publish(tx, [{ name: 'plan.changed', data: plan }]);
    await recordAction(tx, caller, 'plan.created', `plan:${plan.id}`, { after: { ...planViewOf(plan) } });
    return planViewOf(plan);
  });

export const updatePlan = (parts: Parts, caller: AdminCaller, id: number, fields: PlanChange) =>
  change(parts, async (tx) => {
    const before = found(await store.lockPlan(tx, id));
    const names = Object.keys(fields) as (keyof typeof fields)[];
    if (names.every((name) => fields[name] === before[name])) return planViewOf(before);
    const after = await store.updatePlan(tx, id, fields);
    publish(tx, [{ name: 'plan.changed', data: after }]);
    const facts = { before: { ...planViewOf(before) }, after: { ...planViewOf(after) } };
    await recordAction(tx, caller, 'plan.updated', `plan:${id}`, facts);
    return planViewOf(after);
  });

/** Marks the plan as deleted; the row stays for past calls. */
export const deletePlan = (parts: Parts, caller: AdminCaller, id: number) =>
  change(parts, async (tx) => {
    const plan = found(await store.lockPlan(tx, id));
    if (await store.planInUse(tx, id)) throw conflict(texts.inUse);
    const gone = await store.updatePlan(tx, id, { deleted: true });
    publish(tx, [{ name: 'plan.changed', data: gone }]);
    await recordAction(tx, caller, 'plan.deleted', `plan:${id}`, { before: { ...planViewOf(plan) } });
    return { message: texts.deleted };
  });

export async function seedCatalogue(tx: Tx): Promise<void> {
  if (!(await store.catalogueIsEmpty(tx))) return;
  for (const name of SEEDED_SKILLS) await store.insertSkill(tx, name);
  for (const plan of SEEDED_PLANS)
    publish(tx, [{ name: 'plan.changed', data: found(await store.insertPlan(tx, plan)) }]);
}
