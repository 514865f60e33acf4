import type { z } from 'zod';
import type { NameIn } from '../events/catalogue.ts';
import { endpoint, type Endpoint, type Method } from '../http/declare/route.ts';

export interface Command {
  owner: string;
  method: Method;
  /** Path with parameters in braces. */
  path: string;
  /** The processes that may send it. */
  callers: readonly string[];
  /** Path parameters; invalid ones are a 404. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  answer: z.ZodType;
  /** Timeout of the caller in milliseconds, unless it has less time. */
  deadlineMs: number;
}

/** Default timeout: a user waits for most commands, and the gateway gives a request 10 s. */
const COMMAND_TIMEOUT_MS = 2_000;

/** Declares a service's commands: `post /internal/holds`. */
export const commandsOf =
  <Owner extends string, Caller extends string>(owner: Owner) =>
  <Declared extends Omit<Command, 'owner' | 'method' | 'path' | 'deadlineMs'> & { callers: readonly Caller[] }>(
    at: Endpoint,
    command: Declared & { deadlineMs?: number },
  ) => ({ deadlineMs: COMMAND_TIMEOUT_MS, ...command, owner, ...endpoint(at) });

/** A catalogue of commands. */
export type Commands = Readonly<Record<string, Command>>;

/** Names of the commands of a service. */
export type CommandOf<All extends Commands, Owner extends string> = {
  [Name in NameIn<All>]: All[Name]['owner'] extends Owner ? Name : never;
}[NameIn<All>];

type Given<Declared, Part extends string> =
  Declared extends Record<Part, z.ZodObject> ? z.output<Declared[Part]> : unknown;

/** Input of the owner's handler. */
export interface InputOf<Declared extends Command> {
  params: Given<Declared, 'params'>;
  query: Given<Declared, 'query'>;
  body: Given<Declared, 'body'>;
}

/** Input of the caller: path parameters, query and body in one object. */
export type RequestOf<Declared extends Command> = object &
  InputOf<Declared>['params'] &
  InputOf<Declared>['query'] &
  InputOf<Declared>['body'];

/** The answer as its owner gives it. */
export type ReplyOf<Declared extends Command> = z.input<Declared['answer']>;

/** The answer as its caller gets it. */
export type AnswerOf<Declared extends Command> = z.output<Declared['answer']>;
