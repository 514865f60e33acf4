import { on, onSnapshots } from '@tutoring/shared/contract/subscriptions';
import { saveSettings } from '@tutoring/shared/contract/setting-copies';
import { defineService } from '@tutoring/shared/contract/service';
import { availabilityRoutes } from './availability/availability-routes.ts';
import { billRoutes } from './billing/bill-routes.ts';
import { lapseJob, uncoveredJob } from './billing/billing-job.ts';
import { settlementJob, withBatches } from './billing/bill-service.ts';
import { bookingJobs } from './bookings/booking-job.ts';
import { bookingRoutes } from './bookings/booking-routes.ts';
import { cancelBookingsBetween, cancelBookingsOf } from './bookings/booking-service.ts';
import { calendarRoutes } from './calendar/calendar-routes.ts';
import { applyBlockChange, applyUserChanges } from './call/call-service.ts';
import { callsConfig } from './config.ts';
import { savePlans, saveRefunds, saveRooms } from './copies/copy-store.ts';
import { createPeople } from './copies/person-service.ts';
import { historyRoutes } from './history/history-routes.ts';
import { callSnapshots } from './history/history-store.ts';
import { internalRoutes } from './internal/internal-routes.ts';
import { pricingRoutes } from './pricing/pricing-routes.ts';
import { seedServices } from './pricing/pricing-service.ts';
import { allServices } from './pricing/pricing-store.ts';
import { joinRoutes } from './provider/join-routes.ts';
import { reviewRoutes } from './reviews/review-routes.ts';
import { allRatings } from './reviews/review-store.ts';
import { ringRoutes } from './ringing/ring-routes.ts';
import { batchedCharges } from './wallet/wallet.ts';

/** Call life cycle, metering, provider tokens, call history, prices, availability, bookings, calendars and reviews. */
export const calls = defineService({
  name: 'calls',
  config: callsConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build: ({ config, database, internal, logger }) => {
    const wallet = internal('wallet', config.WALLET_URL);
    const parts = withBatches({
      config,
      database,
      logger,
      people: createPeople({ database, identity: internal('identity', config.IDENTITY_URL), logger }),
      wallet,
      chargeInBatch: batchedCharges({ wallet, logger }),
      publicUrl: config.PUBLIC_URL,
    });
    return {
      routes: [
        availabilityRoutes,
        bookingRoutes,
        calendarRoutes,
        reviewRoutes,
        pricingRoutes,
        ringRoutes,
        billRoutes,
        joinRoutes,
        historyRoutes,
        internalRoutes,
      ].flatMap((routesOf) => routesOf(parts)),
      subscriptions: [
        onSnapshots('user.changed', async (tx, users) => cancelBookingsOf(tx, await applyUserChanges(tx, users))),
        onSnapshots('plan.changed', savePlans),
        onSnapshots('setting.changed', saveSettings),
        onSnapshots('room.changed', saveRooms),
        on('block.changed', async (tx, block) => {
          if (await applyBlockChange(tx, block)) await cancelBookingsBetween(tx, [block.user_id, block.blocked_id]);
        }),
        onSnapshots('refunds.changed', saveRefunds),
      ],
      jobs: [...bookingJobs(database), lapseJob(parts), settlementJob(parts), uncoveredJob(parts)],
      snapshots: { 'call.changed': callSnapshots, 'service.changed': allServices, 'rating.changed': allRatings },
      seed: () => seedServices(parts),
    };
  },
});
