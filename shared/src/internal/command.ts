import type { z } from 'zod';
import type { AppError } from '../errors.ts';
import type { Route } from '../http/declare/route.ts';
import { commands, type CommandInput, type CommandName } from './catalogue.ts';
import type { Command } from './define.ts';
import { EXPORT_PAGE, nextOf } from './export-page.ts';

type Answer<Name extends CommandName> = z.input<(typeof commands)[Name]['answer']>;

/**
 * The owner's route of a command, with everything that its callers rely on from the catalogue. `handle` returns undefined
 * for what is not found.
 */
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

/**
 * The owner's route of an export: `list` reads the next of a person's items below the id `before`, newest first; each is
 * exported as `show` returns it.
 */
export const exportOf = <Item extends { id: number }>(
  name: Exclude<Extract<CommandName, `${string}.export`>, 'rooms.export'>,
  list: (userId: number, page: { before: number | undefined; limit: number }) => Promise<Item[]>,
  show: (item: Item) => Record<string, unknown> = (item) => ({ ...item }),
) =>
  command(name, async ({ params, query }) => {
    const page = await list(params.id, { before: query.after, limit: EXPORT_PAGE });
    return { items: page.map(show), next: nextOf(page, ({ id }) => id) };
  });
