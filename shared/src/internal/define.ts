import { z } from 'zod';
import { day, pathId } from '../http/declare/fields.ts';
import { endpoint, type Endpoint, type Method } from '../http/declare/route.ts';
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

type Declared<Of extends Command> = Omit<Of, 'owner' | 'method' | 'path' | 'deadlineMs'> & { deadlineMs?: number };

/** A user waits for most commands, and the gateway gives a request 10 s. */
export const PATIENCE_MS = 2_000;

/** Declares a service's commands: `post /internal/holds`. */
export const commandsOf =
  <Owner extends ServiceName>(owner: Owner) =>
  <
    Answer extends z.ZodType,
    Params extends Fields = undefined,
    Query extends Fields = undefined,
    Body extends Fields = undefined,
  >(
    at: Endpoint,
    command: Declared<Command<Owner, Params, Query, Body, Answer>>,
  ): Command<Owner, Params, Query, Body, Answer> => ({
    deadlineMs: PATIENCE_MS,
    ...command,
    owner,
    ...endpoint(at),
  });

/** The user in a path. */
export const ofUser = z.object({ id: pathId() });

/** UTC days, both included; the answer leaves out days without figures. */
export const days = z.object({ from: day(), to: day() });
