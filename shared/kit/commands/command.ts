import type { z } from 'zod';
import type { AppError } from '../errors.ts';
import type { Route } from '../http/declare/route.ts';
import { commands, type CommandInput, type CommandName } from '../../contract/commands.ts';
import type { Command } from './define.ts';

type Answer<Name extends CommandName> = z.input<(typeof commands)[Name]['answer']>;

/** The owner's route for a command of the catalogue. `handle` returns undefined for an unknown record. */
export function command<Name extends CommandName>(
  name: Name,
  handle: (input: CommandInput<Name>) => Promise<Answer<Name> | undefined> | Answer<Name> | undefined,
  notFound?: () => AppError,
): Route {
  const { owner, callers, answer, deadlineMs: _, ...request }: Command = commands[name];
  return {
    ...(request as Pick<Route, 'method' | 'path' | 'params' | 'query' | 'body'>),
    summary: name,
    auth: 'service',
    command: { owner, callers },
    ...(notFound && { notFound }),
    response: answer,
    handle: handle as Route['handle'],
  };
}
