import { createInternalClient as create, type InternalClient as ClientOf } from '../kit/commands/client.ts';
import { commands } from './commands.ts';
import type { ServiceName } from './names.ts';

export type InternalClient<Owner extends ServiceName> = ClientOf<typeof commands, Owner>;

/** A client for the commands of a service. It calls in the name of this process, not of a user. */
export const createInternalClient = <Owner extends ServiceName>(
  options: Omit<Parameters<typeof create<typeof commands, Owner>>[0], 'commands'>,
): InternalClient<Owner> => create({ ...options, commands });
