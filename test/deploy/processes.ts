import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gatewayConfig } from '../../gateway/src/config.ts';
import { callsConfig } from '../../services/calls/src/config.ts';
import { identityConfig } from '../../services/identity/src/config.ts';
import { messagingConfig } from '../../services/messaging/src/config.ts';
import { walletConfig } from '../../services/wallet/src/config.ts';

/** The five processes and the schemas of their environments. */
export const PROCESSES = {
  gateway: gatewayConfig,
  identity: identityConfig,
  wallet: walletConfig,
  messaging: messagingConfig,
  calls: callsConfig,
};
export type ProcessName = keyof typeof PROCESSES;
export const NAMES = Object.keys(PROCESSES) as ProcessName[];

/** Variables that every process gets, although its schema has only the addresses that it calls. */
export const ADDRESSES = ['IDENTITY_URL', 'WALLET_URL', 'MESSAGING_URL', 'CALLS_URL'];

/** The names of the variables that the process reads. */
export const variablesOf = (name: ProcessName) => Object.keys(PROCESSES[name].shape);

/** The names in `variables` that the process does not read. */
export const unknownVariables = (name: ProcessName, variables: Iterable<string>) =>
  [...variables].filter((variable) => !variablesOf(name).includes(variable) && !ADDRESSES.includes(variable));

/** The processes that call `name`, by the addresses in their schemas. */
export const callersOf = (name: ProcessName) =>
  NAMES.filter((caller) => caller !== name && variablesOf(caller).includes(`${name.toUpperCase()}_URL`));

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const text = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
