import type { InternalClient } from '@tutoring/shared/contract/client';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import type { WalletConfig } from './config.ts';
import type { Debtor } from './payout-methods/debtor.ts';
import type { PayoutMethod } from './payout-methods/payout-method.ts';
import type { Providers } from './providers/configured.ts';
import type { People } from './users/user-service.ts';

/** Dependencies of the features of this service. */
export interface Parts extends Pick<ServiceDeps<WalletConfig>, 'database' | 'logger'> {
  people: People;
  providers: Providers;
  identity: InternalClient<'identity'>;
  payoutMethods: PayoutMethod[];
  /** Whose account a bank debits for payouts; undefined: no files for banks. */
  debtor: Debtor | undefined;
  /** ISO 4217 code; all amounts are in this currency. */
  currency: string;
  publicUrl: string;
  /** Lets the job that asks payment providers run at once. */
  wakeAsking: () => void;
}
