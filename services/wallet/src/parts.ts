import type { InternalClient } from '@tutoring/shared/contract/client';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import type { WalletConfig } from './config.ts';
import type { Providers } from './providers/configured.ts';
import type { People } from './users/user-service.ts';

/** Dependencies of the features of this service. */
export interface Parts extends Pick<ServiceDeps<WalletConfig>, 'database' | 'logger'> {
  identity: InternalClient<'identity'>;
  people: People;
  providers: Providers;
  /** ISO 4217 code; all amounts are in this currency. */
  currency: string;
  publicUrl: string;
  /** Lets the job that asks payment providers run at once. */
  wakeAsking: () => void;
}
