import { z } from 'zod';
import { timestamp } from '@tutoring/shared/http/fields';
import { presentService, serviceObject, type Service } from '../catalogue/service.ts';
import type { Person, Plan } from '../people/people-store.ts';
import type { Accepted } from './call.ts';

const planObject = z.strictObject({
  id: z.int(),
  name: z.string(),
  points: z.int(),
  image_cost: z.int(),
  created_at: timestamp(),
  updated_at: timestamp(),
});

const teacherObject = z.strictObject({
  id: z.int(),
  name: z.string(),
  plan_id: z.int(),
  domains: z.string(),
  experience: z.int(),
  availability: z.string(),
  bio: z.string().nullable(),
  verified: z.enum(['0', '1']),
  created_at: timestamp(),
  updated_at: timestamp(),
  transactions_count: z.int(),
});

/** The call transaction of the specification: what a teacher gets for accepting. */
export const transactionObject = z.strictObject({
  id: z.int(),
  identifier: z.string(),
  service_id: z.int(),
  student_id: z.int(),
  teacher_id: z.int(),
  plan_id: z.int(),
  total_cost: z.number(),
  total_duration: z.number().nullable(),
  created_at: timestamp(),
  updated_at: timestamp(),
  teacher: teacherObject,
  service: serviceObject,
  plan: planObject,
});

export interface TransactionFacts {
  call: Accepted;
  teacher: Person;
  plan: Plan;
  service: Service;
  transactionsCount: number;
}

/** The service as this call pays it: its prices of the moment of acceptance. */
export const serviceOfCall = ({ call, service }: Pick<TransactionFacts, 'call' | 'service'>) =>
  presentService({
    ...service,
    iterator: call.iterator,
    base_cost: call.base_cost,
    iterator_cost: call.iterator_cost,
  });

export function presentTransaction(facts: TransactionFacts): z.infer<typeof transactionObject> {
  const { call, teacher, plan } = facts;
  return {
    id: call.id,
    identifier: call.identifier,
    service_id: call.service_id,
    student_id: call.student_id,
    teacher_id: call.teacher_id,
    plan_id: plan.id,
    total_cost: call.total_cost,
    total_duration: call.total_duration,
    created_at: call.accepted_at,
    updated_at: call.updated_at,
    teacher: {
      id: teacher.id,
      name: teacher.name,
      plan_id: plan.id,
      domains: teacher.domains.join(', '),
      experience: teacher.experience,
      availability: teacher.availability,
      bio: teacher.bio,
      verified: teacher.verified ? '1' : '0',
      created_at: teacher.created_at,
      updated_at: teacher.updated_at,
      transactions_count: facts.transactionsCount,
    },
    service: serviceOfCall(facts),
    plan: {
      id: plan.id,
      name: plan.name,
      points: plan.points,
      image_cost: plan.image_cost,
      created_at: plan.created_at,
      updated_at: plan.updated_at,
    },
  };
}
