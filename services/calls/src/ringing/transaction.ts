import { z } from 'zod';
import { pickFields, times } from '@tutoring/shared/kit/http/declare/fields';
import type { Accepted } from '../call/call.ts';
import { presentService, serviceObject, type Service } from '../pricing/service.ts';
import type { Person, Plan } from '../copies/copy-store.ts';

const planObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Standard' }),
    points: z.int().meta({ example: 100 }),
    image_cost: z.int().meta({ example: 10 }),
    ...times,
  })
  .meta({ id: 'TransactionPlan' });

const teacherObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Kossi Mensah' }),
    plan_id: z.int().meta({ example: 1 }),
    domains: z.string().meta({ example: 'Mathematics, Physics' }),
    experience: z.int().meta({ example: 4 }),
    availability: z.string().meta({ example: 'Weekdays after 5 pm' }),
    bio: z.string().nullable().meta({ example: 'Teaches mathematics with patience' }),
    verified: z.enum(['0', '1']),
    ...times,
    transactions_count: z.int().meta({ example: 18 }),
  })
  .meta({ id: 'TransactionTeacher' });

/** The call transaction of the specification: the response to `accept`. */
export const transactionObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    service_id: z.int().meta({ example: 1 }),
    student_id: z.int().meta({ example: 12 }),
    teacher_id: z.int().meta({ example: 7 }),
    plan_id: z.int().meta({ example: 1 }),
    total_cost: z.number().meta({ example: 250 }),
    total_duration: z.number().nullable().meta({ example: 130 }),
    ...times,
    teacher: teacherObject,
    service: serviceObject,
    plan: planObject,
  })
  .meta({ id: 'Transaction' });

interface TransactionParts {
  call: Accepted;
  teacher: Person;
  plan: Plan;
  service: Service;
  transactionsCount: number;
}

export function presentTransaction({ call, teacher, plan, service, transactionsCount }: TransactionParts) {
  const { iterator, base_cost, iterator_cost } = call;
  return pickFields(transactionObject, {
    ...call,
    plan_id: plan.id,
    created_at: call.accepted_at,
    teacher: pickFields(teacherObject, {
      ...teacher,
      plan_id: plan.id,
      domains: teacher.domains.join(', '),
      verified: teacher.verified ? '1' : '0',
      transactions_count: transactionsCount,
    }),
    // With the prices at the acceptance.
    service: presentService({ ...service, iterator, base_cost, iterator_cost }),
    plan: pickFields(planObject, plan),
  });
}
