import { z } from 'zod';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { command } from '@tutoring/shared/contract/command';
import type { Parts } from '../parts.ts';
import * as catalogue from './catalogue-service.ts';
import { newPlanBody, planBody, planView, planViewOf, skillBody, skillView } from './catalogue.ts';
import { findPlan, listPlans, listSkills } from './catalogue-store.ts';

const params = z.object({ id: pathId() });
const byId = { auth: 'su', params } as const;

export const catalogueRoutes = (parts: Parts): Route[] => [
  route('get /api/skills', {
    summary: 'Skills',
    description:
      'Public. All skills that a student or teacher can name, with the ids that registration and profile take.',
    auth: 'public',
    response: z.array(skillView),
    handle: () => listSkills(parts.database.manager),
  }),
  route('get /api/plans', {
    summary: 'Plans',
    description: 'Public. All plans that a teacher can choose.',
    auth: 'public',
    response: z.array(planView),
    handle: async () => (await listPlans(parts.database.manager)).map(planViewOf),
  }),
  command('plan.read', ({ params: { id } }) => findPlan(parts.database.manager, id)),
  route('post /api/admin/skills', {
    summary: 'Add a skill',
    description: 'For super administrators. A name in use is a 422.',
    auth: 'su',
    body: skillBody,
    response: skillView,
    handle: ({ body, caller }) => catalogue.createSkill(parts, caller, body.name),
  }),
  route('put /api/admin/skills/{id}', {
    ...byId,
    summary: 'Rename a skill',
    description:
      'For super administrators. Profiles with the skill show the new name shortly after. A name in use is a 422.',
    body: skillBody,
    response: skillView,
    handle: ({ params: { id }, body, caller }) => catalogue.renameSkill(parts, caller, id, body.name),
  }),
  route('delete /api/admin/skills/{id}', {
    ...byId,
    summary: 'Delete an unused skill',
    description: 'For super administrators. 409 while a student or teacher has it.',
    response: confirmation,
    errors: ['conflict'],
    handle: ({ params: { id }, caller }) => catalogue.deleteSkill(parts, caller, id),
  }),
  route('post /api/admin/plans', {
    summary: 'Add a plan',
    description: 'For super administrators. A name in use is a 422.',
    auth: 'su',
    body: newPlanBody,
    rules: ({ fields }) => catalogue.takenPlanName(parts, fields.name, undefined),
    response: planView,
    handle: ({ body, caller }) => catalogue.createPlan(parts, caller, body),
  }),
  route('put /api/admin/plans/{id}', {
    ...byId,
    summary: 'Change a plan',
    description: 'For super administrators. Only the fields that are sent change. A name in use is a 422.',
    body: planBody,
    rules: ({ fields, params: plan }) => catalogue.takenPlanName(parts, fields.name, plan?.id),
    response: planView,
    handle: ({ params: { id }, body, caller }) => catalogue.updatePlan(parts, caller, id, body),
  }),
  route('delete /api/admin/plans/{id}', {
    ...byId,
    summary: 'Delete an unused plan',
    description: 'For super administrators. 409 while a teacher has it.',
    response: confirmation,
    errors: ['conflict'],
    handle: ({ params: { id }, caller }) => catalogue.deletePlan(parts, caller, id),
  }),
];
