import type { Bus } from '@tutoring/shared/kit/events/bus';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import type { ServiceName } from '@tutoring/shared/contract/names';
import type { GatewayConfig } from './config.ts';
import type { Timings } from './deadlines.ts';

/** What all parts of the gateway share. */
export interface Parts {
  config: GatewayConfig;
  /** The address of each service. */
  services: Record<ServiceName, string>;
  timings: Timings;
  logger: Logger;
  bus: Bus;
}
