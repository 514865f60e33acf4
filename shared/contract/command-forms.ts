import { z } from 'zod';
import { commandsOf as declare } from '../kit/commands/define.ts';
import { day, id, pathId } from '../kit/http/declare/fields.ts';
import type { ProcessName, ServiceName } from './names.ts';

/** Declares a service's commands: `post /internal/holds`. */
export const commandsOf = <Owner extends ServiceName>(owner: Owner) => declare<Owner, ProcessName>(owner);

/** Path parameters of a command about a user. */
export const userParams = z.object({ id: pathId() });

/** Most users in one command. */
export const MAX_BATCH_USERS = 100;

/** Body of a command about several users; the answer has one entry per user, in this order. */
export const usersBody = z.object({ user_ids: z.array(id()).min(1).max(MAX_BATCH_USERS) });

/** Totals of a service for the dashboard. */
export const totalsOf = <Owner extends ServiceName, Shape extends z.ZodRawShape>(owner: Owner, totals: Shape) =>
  commandsOf(owner)('get /internal/stats', { callers: ['identity'], answer: z.object(totals), deadlineMs: 500 });

/** Its figures of each UTC day, from `from` to `to`, both included; the answer leaves out days without figures. */
export const daysOf = <Owner extends ServiceName, Shape extends z.ZodRawShape>(owner: Owner, figures: Shape) =>
  commandsOf(owner)('get /internal/stats/days', {
    callers: ['identity'],
    query: z.object({ from: day(), to: day() }),
    answer: z.array(z.object({ date: z.string(), ...figures })),
  });
