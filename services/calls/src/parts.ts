import type { Database } from '@tutoring/shared/database/open';
import type { People } from './copies/person-service.ts';
import type { Rtc } from './provider/rtc.ts';
import type { Wallet } from './wallet/wallet.ts';

/** What the features of this service work with. */
export interface Parts {
  database: Database;
  people: People;
  wallet: Wallet;
  rtc: Rtc;
  /** Base of links to this system. */
  publicUrl: string;
  /** Secret uuid out of which room uuids are derived. */
  roomNamespace: string;
  /** What links of calendars are derived from. */
  calendarKeys: readonly { secret: string }[];
}
