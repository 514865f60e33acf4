import { serviceConfig, parseConfig } from '../src/process/config.ts';
import { defineService, startService } from '../src/service.ts';

/** A service that only relays its outbox: one more replica, as a process of its own. */
export const relaying = defineService({
  name: 'identity',
  config: serviceConfig,
  migrations: new URL('../../services/identity/migrations/', import.meta.url),
  build: () => ({ routes: [] }),
});

if (import.meta.main) await startService(relaying, parseConfig(serviceConfig, process.env));
