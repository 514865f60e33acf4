import { serviceConfig } from '../contract/config.ts';
import { parseConfig } from '../kit/process/config.ts';
import { defineService } from '../contract/service.ts';
import { startService } from '../kit/service.ts';

/** A service that only relays its outbox; as a program, one more replica of it. */
export const relaying = defineService({
  name: 'identity',
  config: serviceConfig,
  migrations: new URL('../../services/identity/migrations/', import.meta.url),
  build: () => ({ routes: [] }),
});

if (import.meta.main) await startService(relaying, parseConfig(serviceConfig, process.env));
