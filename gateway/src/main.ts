import { parseConfig } from '@tutoring/shared/process/config';
import { runProcess } from '@tutoring/shared/process/process';
import { startGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

await runProcess('gateway', process.env, (logger) => startGateway(parseConfig(gatewayConfig, process.env), logger));
