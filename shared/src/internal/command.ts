import type { z } from 'zod';
import type { ServiceCaller } from '../identity/auth.ts';
import type { AppError, ErrorCode } from '../errors.ts';
import type { RequestInfo, Route } from '../http/declare/route.ts';
import { commands, type CommandInput, type CommandName } from './catalogue.ts';
import type { Command } from './define.ts';

type Answer<Name extends CommandName> = z.input<(typeof commands)[Name]['answer']>;

/** The owner's route of a command, with everything that its callers rely on from the catalogue. */
export function command<Name extends CommandName>(
  name: Name,
  own: {
    summary: string;
    description?: string;
    errors?: ErrorCode[];
    notFound?: () => AppError;
    handle(
      input: CommandInput<Name> & { caller: ServiceCaller; request: RequestInfo },
    ): Promise<Answer<Name> | undefined> | Answer<Name> | undefined;
  },
): Route {
  const { owner, callers, method, path, params, query, body, answer }: Command = commands[name];
  return {
    ...(own as Pick<Route, 'summary' | 'handle'>),
    method,
    path,
    auth: 'service',
    command: { owner, callers },
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    response: answer,
  };
}
