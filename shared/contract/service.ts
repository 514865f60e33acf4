import type { ServiceConfig } from '../kit/process/config.ts';
import type { Contract, ServiceDefinition as DefinitionOf, ServiceDeps as DepsOf } from '../kit/service.ts';
import { messages } from './bus.ts';
import { commands } from './commands.ts';
import { liveEvents } from './live-events.ts';
import { PROCESSES, type ServiceName } from './names.ts';

export type ServiceDeps<Config> = DepsOf<Config, typeof commands>;
export type ServiceDefinition<Config extends ServiceConfig> = DefinitionOf<Config, typeof commands> & {
  name: ServiceName;
};

const contract: Contract<typeof commands> = { processes: PROCESSES, messages, liveEvents, commands };

/** Declares a service of this system. */
export const defineService = <Config extends ServiceConfig>(
  definition: Omit<ServiceDefinition<Config>, 'contract'>,
): ServiceDefinition<Config> => ({ ...definition, contract });
