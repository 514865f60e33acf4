import type { Database } from '@tutoring/shared/kit/database/open';
import type { People } from './copies/person-service.ts';
import type { Rtc } from './provider/rtc.ts';
import type { Wallet } from './wallet/wallet.ts';

/** The dependencies of this service's features. */
export interface Parts {
  database: Database;
  people: People;
  wallet: Wallet;
  rtc: Rtc;
  /** Base of links to this system. */
  publicUrl: string;
  /** Secret uuid from which room uuids are derived. */
  roomNamespace: string;
  /** The keys of calendar links: the first one signs, all are accepted. */
  calendarKeys: readonly { secret: string }[];
}
