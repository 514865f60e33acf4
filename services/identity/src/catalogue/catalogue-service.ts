import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { sqlState } from '@tutoring/shared/kit/database/refusals';
import { publish } from '@tutoring/shared/contract/publish';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { recordAction } from '../audit/audit-service.ts';
import { conflict, found, refuseTaken, violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { planViewOf, type NewPlan, type PlanChange, SEEDED_PLANS, SEEDED_SKILLS } from './catalogue.ts';
import * as store from './catalogue-store.ts';

const FOREIGN_KEY = '23503';

/** For `catch`: turns a violated constraint of the catalogue into conflict or a validation error. */
function refuse(error: unknown): never {
  if (sqlState(error) === FOREIGN_KEY) throw conflict(texts.inUse);
  return refuseTaken(error);
}

export function createCatalogue({ database, wakeJob }: Parts) {
  const change = <T>(work: (tx: Tx) => Promise<T>) => database.transact(work).catch(refuse);

  return {
    createSkill: (caller: AdminCaller, name: string) =>
      change(async (tx) => {
        const skill = found(await store.insertSkill(tx, name));
        await recordAction(tx, caller, 'skill.created', `skill:${skill.id}`, { after: { name } });
        return skill;
      }),

    /** A job then publishes `user.changed` for every user with the skill. */
    renameSkill: async (caller: AdminCaller, id: number, name: string) => {
      const skill = await change(async (tx) => {
        const before = found(await store.lockSkill(tx, id));
        if (before.name === name) return before;
        const after = found(await store.renameSkill(tx, id, name));
        await store.markHoldersStale(tx, id);
        const facts = { before: { name: before.name }, after: { name } };
        await recordAction(tx, caller, 'skill.updated', `skill:${id}`, facts);
        return after;
      });
      wakeJob('stale');
      return skill;
    },

    deleteSkill: (caller: AdminCaller, id: number) =>
      change(async (tx) => {
        const { name } = found(await store.lockSkill(tx, id));
        await store.deleteSkill(tx, id);
        await recordAction(tx, caller, 'skill.deleted', `skill:${id}`, { before: { name } });
        return { message: texts.deleted };
      }),

    /** The name must not belong to another plan. */
    takenPlanName: async (name: string | undefined, exceptId: number | undefined) => {
      const isTaken = name !== undefined && (await store.planNameTaken(database.manager, name, exceptId ?? null));
      return violations([isTaken, 'name', sentences.taken]);
    },

    createPlan: (caller: AdminCaller, fields: NewPlan) =>
      change(async (tx) => {
        const plan = found(await store.insertPlan(tx, fields));
        publish(tx, [{ name: 'plan.changed', data: plan }]);
        await recordAction(tx, caller, 'plan.created', `plan:${plan.id}`, { after: { ...planViewOf(plan) } });
        return planViewOf(plan);
      }),

    updatePlan: (caller: AdminCaller, id: number, fields: PlanChange) =>
      change(async (tx) => {
        const before = found(await store.lockPlan(tx, id));
        const names = Object.keys(fields) as (keyof typeof fields)[];
        if (names.every((name) => fields[name] === before[name])) return planViewOf(before);
        const after = await store.updatePlan(tx, id, fields);
        publish(tx, [{ name: 'plan.changed', data: after }]);
        const facts = { before: { ...planViewOf(before) }, after: { ...planViewOf(after) } };
        await recordAction(tx, caller, 'plan.updated', `plan:${id}`, facts);
        return planViewOf(after);
      }),

    /** Marks the plan as deleted; the row stays for past calls. */
    deletePlan: (caller: AdminCaller, id: number) =>
      change(async (tx) => {
        const plan = found(await store.lockPlan(tx, id));
        if (await store.planInUse(tx, id)) throw conflict(texts.inUse);
        const gone = await store.updatePlan(tx, id, { deleted: true });
        publish(tx, [{ name: 'plan.changed', data: gone }]);
        await recordAction(tx, caller, 'plan.deleted', `plan:${id}`, { before: { ...planViewOf(plan) } });
        return { message: texts.deleted };
      }),

    async seed(tx: Tx): Promise<void> {
      if (!(await store.catalogueIsEmpty(tx))) return;
      for (const name of SEEDED_SKILLS) await store.insertSkill(tx, name);
      for (const plan of SEEDED_PLANS)
        publish(tx, [{ name: 'plan.changed', data: found(await store.insertPlan(tx, plan)) }]);
    },
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;
