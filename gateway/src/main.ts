import { PROCESSES } from '@tutoring/shared/contract/names';
import { assertOwnUser, parseConfig, UsageError } from '@tutoring/shared/kit/process/config';
import { runProcess } from '@tutoring/shared/kit/process/process';
import { startGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

await runProcess('gateway', process.env, async (logger) => {
  const config = parseConfig(gatewayConfig, process.env);
  assertOwnUser('gateway', config, PROCESSES);
  const [command] = process.argv.slice(2);
  if (command === undefined) return startGateway(config, logger);
  if (command !== 'check') throw new UsageError('There is no such command.\nusage: main.ts [check]');
  process.stdout.write('The configuration of gateway is right.\n');
  return undefined;
});
