import type { AppError } from '../errors.ts';
import type { NameIn } from '../events/catalogue.ts';
import type { Route } from '../http/declare/route.ts';
import type { Command, Commands, InputOf, ReplyOf } from './define.ts';

/** Returns the function that declares the owner's routes for the commands of a catalogue. */
export function commandRoutes<All extends Commands>(commands: All) {
  type Reply<Name extends NameIn<All>> = ReplyOf<All[Name]>;

  /** The owner's route for a command. `handle` returns undefined for an unknown record. */
  return function command<Name extends NameIn<All>>(
    name: Name,
    handle: (input: InputOf<All[Name]>) => Promise<Reply<Name> | undefined> | Reply<Name> | undefined,
    notFound?: () => AppError,
  ): Route {
    const { owner, callers, answer, deadlineMs: _, ...request } = commands[name] as Command;
    return {
      ...(request as Pick<Route, 'method' | 'path' | 'params' | 'query' | 'body'>),
      summary: name,
      auth: 'service',
      command: { owner, callers },
      ...(notFound && { notFound }),
      response: answer,
      handle: handle as Route['handle'],
    };
  };
}
