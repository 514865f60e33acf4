import { commandRoutes } from '../kit/commands/command.ts';
import { commands } from './commands.ts';

export const command = commandRoutes(commands);
