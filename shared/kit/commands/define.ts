import { z } from 'zod';
import { day, id, pathId } from '../http/declare/fields.ts';
import { endpoint, type Endpoint, type Method } from '../http/declare/route.ts';
import type { ProcessName, ServiceName } from '../../contract/names.ts';

export interface Command {
  owner: ServiceName;
  method: Method;
  /** Path with parameters in braces. */
  path: string;
  /** The processes that may send it. */
  callers: readonly ProcessName[];
  /** Path parameters; invalid ones are a 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  answer: z.ZodType;
  /** Timeout of the caller in milliseconds, unless it has less time. */
  deadlineMs: number;
}

/** Default timeout: a user waits for most commands, and the gateway gives a request 10 s. */
export const COMMAND_TIMEOUT_MS = 2_000;

/** Declares a service's commands: `post /internal/holds`. */
export const commandsOf =
  <Owner extends ServiceName>(owner: Owner) =>
  <Declared extends Omit<Command, 'owner' | 'method' | 'path' | 'deadlineMs'>>(
    at: Endpoint,
    command: Declared & { deadlineMs?: number },
  ) => ({ deadlineMs: COMMAND_TIMEOUT_MS, ...command, owner, ...endpoint(at) });

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
