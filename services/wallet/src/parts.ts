import type { ServiceDeps } from '@tutoring/shared/service';
import type { WalletConfig } from './config.ts';
import type { Providers } from './providers/configured.ts';
import type { People } from './users/user-service.ts';

/** What the features of this service work with. */
export interface Parts extends Pick<ServiceDeps<WalletConfig>, 'database' | 'logger'> {
  people: People;
  providers: Providers;
  /** The one of all money here. */
  currency: string;
  publicUrl: string;
}
