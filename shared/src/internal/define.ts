import { z } from 'zod';
import { day, pathId } from '../http/declare/fields.ts';
import type { Method } from '../http/declare/route.ts';
import type { ProcessName, ServiceName } from '../process/names.ts';

type Fields = z.ZodObject | undefined;

export interface Command<
  Owner extends ServiceName = ServiceName,
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Answer extends z.ZodType = z.ZodType,
> {
  owner: Owner;
  method: Method;
  /** Parameters in braces. */
  path: string;
  /** The processes that may send it. */
  callers: readonly ProcessName[];
  /** Parameters that do not fit are a 404. */
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Answer;
  /** Milliseconds that a caller waits for the answer, unless it has less time. */
  deadlineMs: number;
}

/** Declares a command of the catalogue. */
export const define = <
  Owner extends ServiceName,
  Answer extends z.ZodType,
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  command: Command<Owner, Params, Query, Body, Answer>,
) => command;

/** A user waits for most commands, and the gateway gives a request 10 s. */
export const PATIENCE_MS = 2_000;

/** The user in a path. */
export const ofUser = z.object({ id: pathId() });

/** UTC days, both included; the answer leaves out days without figures. */
export const days = z.object({ from: day(), to: day() });
