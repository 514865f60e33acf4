import { z } from 'zod';
import { day, id, pathId } from '../http/declare/fields.ts';
import { endpoint, type Endpoint, type Method } from '../http/declare/route.ts';
import type { ProcessName, ServiceName } from '../process/names.ts';

export interface Command {
  owner: ServiceName;
  method: Method;
  /** Parameters in braces. */
  path: string;
  /** The processes that may send it. */
  callers: readonly ProcessName[];
  /** Parameters that do not fit are a 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  answer: z.ZodType;
  /** Milliseconds that a caller waits for the answer, unless it has less time. */
  deadlineMs: number;
}

/** A user waits for most commands, and the gateway gives a request 10 s. */
export const PATIENCE_MS = 2_000;

/** Declares a service's commands: `post /internal/holds`. */
export const commandsOf =
  <Owner extends ServiceName>(owner: Owner) =>
  <Declared extends Omit<Command, 'owner' | 'method' | 'path' | 'deadlineMs'>>(
    at: Endpoint,
    command: Declared & { deadlineMs?: number },
  ) => ({ deadlineMs: PATIENCE_MS, ...command, owner, ...endpoint(at) });

/** The user in a path. */
export const ofUser = z.object({ id: pathId() });

/** Users in one question. */
export const USERS_AT_ONCE = 100;

/** Several users, each of whom the answer has in its place. */
export const ofUsers = z.object({ user_ids: z.array(id()).min(1).max(USERS_AT_ONCE) });

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
