import type { InternalClient } from '@tutoring/shared/contract/client';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import type { ChargeAnswer, PendingCharge, WalletVerdict } from './call/charge.ts';
import type { CallsConfig } from './config.ts';
import type { People } from './copies/person-service.ts';

/** The dependencies of this service's features. */
export interface Parts extends Pick<ServiceDeps<CallsConfig>, 'config' | 'database' | 'logger'> {
  people: People;
  wallet: InternalClient<'wallet'>;
  /** Concurrent charges share a request to wallet. */
  chargeInBatch: (pending: PendingCharge) => Promise<WalletVerdict<ChargeAnswer>>;
  /** Base of links to this system. */
  publicUrl: string;
}
