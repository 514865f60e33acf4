import type { Database } from '@tutoring/shared/database/open';
import { on, onSnapshots } from '@tutoring/shared/events/consume/subscription';
import { saveSettings } from '@tutoring/shared/internal/setting-copies';
import type { Route } from '@tutoring/shared/http/declare/route';
import { defineService } from '@tutoring/shared/service';
import { availabilityRoutes } from './availability/availability-routes.ts';
import { adminBookingRoutes, bookingRoutes } from './bookings/booking-routes.ts';
import { bookingJobs } from './bookings/booking-job.ts';
import { callOffBetween, callOffOf, createBookings } from './bookings/booking-service.ts';
import { createAvailability } from './availability/availability-service.ts';
import { billRoutes } from './billing/bill-routes.ts';
import { createBilling, createSettlement } from './billing/bill-service.ts';
import { uncoveredJob } from './billing/billing-job.ts';
import { createEnding } from './billing/end-service.ts';
import { callsConfig } from './config.ts';
import { applyBlockChange, applyUserChanges } from './call/ban-service.ts';
import { lapseJob } from './call/lapse-job.ts';
import { createPeople, type People } from './copies/person-service.ts';
import { savePlans, saveRefunds, saveRooms } from './copies/copy-store.ts';
import { adminCallRoutes, historyRoutes } from './history/history-routes.ts';
import { createHistory } from './history/history-service.ts';
import { callSnapshots } from './history/history-store.ts';
import { internalRoutes } from './internal/internal-routes.ts';
import { calendarRoutes } from './calendar/calendar-routes.ts';
import { createCalendars } from './calendar/calendar-service.ts';
import { pricingRoutes } from './pricing/pricing-routes.ts';
import { createPricing } from './pricing/pricing-service.ts';
import { allServices } from './pricing/pricing-store.ts';
import { joinRoutes } from './provider/join-routes.ts';
import { createJoining } from './provider/join-service.ts';
import { createRtc } from './provider/rtc.ts';
import { adminReviewRoutes, reviewRoutes } from './reviews/review-routes.ts';
import { createReviews } from './reviews/review-service.ts';
import { allRatings } from './reviews/review-store.ts';
import { createAcceptance } from './ringing/accept-service.ts';
import { studentRingRoutes, teacherRingRoutes } from './ringing/ring-routes.ts';
import { createRinging } from './ringing/ring-service.ts';
import { createWallet } from './wallet/wallet.ts';

/** Lessons that are booked, before and after: hours, bookings, calendars, reviews. */
function lessonRoutes(deps: { database: Database; people: People; publicUrl: string; secret: string }): Route[] {
  const reviewing = { ...deps, reviews: createReviews(deps.database) };
  return [
    ...availabilityRoutes({ availability: createAvailability(deps) }),
    ...bookingRoutes({ ...deps, bookings: createBookings(deps) }),
    ...adminBookingRoutes(deps),
    ...calendarRoutes({ calendars: createCalendars(deps) }),
    ...reviewRoutes(reviewing),
    ...adminReviewRoutes(reviewing),
  ];
}

/** Call life cycle, metering, provider tokens, services with their prices and call history. */
export const calls = defineService({
  name: 'calls',
  config: callsConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build: ({ config, database, internal, logger }) => {
    const publicUrl = config.PUBLIC_URL;
    const people = createPeople({ database, identity: internal('identity', config.IDENTITY_URL), logger });
    const wallet = createWallet({ client: internal('wallet', config.WALLET_URL), logger });
    const rtc = createRtc({
      appId: config.AGORA_APP_ID,
      certificate: config.AGORA_APP_CERTIFICATE,
      uid: config.RTC_UID === 'user' ? 'user' : 'shared',
    });
    const pricing = createPricing(database);
    const settlement = createSettlement({ database, wallet });
    const ringing = createRinging({ database, people, wallet, rtc, roomNamespace: config.ROOM_NAMESPACE });
    const acceptance = createAcceptance({ database, people, wallet });
    const billing = createBilling({ database, settlement });
    const ending = createEnding({ database, settlement });
    const history = createHistory({ database, people, wallet });
    const joining = createJoining({ database, rtc, wallet });
    return {
      routes: [
        ...lessonRoutes({ database, people, publicUrl, secret: config.ROOM_NAMESPACE }),
        ...pricingRoutes({ database, pricing }),
        ...studentRingRoutes({ ringing, rtc }),
        ...teacherRingRoutes({ ringing, acceptance, rtc }),
        ...billRoutes({ billing, ending }),
        ...joinRoutes({ joining }),
        ...historyRoutes({ database, history }),
        ...adminCallRoutes({ database, history, people, publicUrl }),
        ...internalRoutes({ database, rtc }),
      ],
      subscriptions: [
        onSnapshots('user.changed', async (tx, users) => callOffOf(tx, await applyUserChanges(tx, users))),
        onSnapshots('plan.changed', savePlans),
        onSnapshots('setting.changed', saveSettings),
        onSnapshots('room.changed', saveRooms),
        on('block.changed', async (tx, block) => {
          if (await applyBlockChange(tx, block)) await callOffBetween(tx, [block.user_id, block.blocked_id]);
        }),
        onSnapshots('refunds.changed', saveRefunds),
      ],
      jobs: [...bookingJobs(database), lapseJob(database), settlement.job, uncoveredJob({ database, wallet })],
      snapshots: { 'call.changed': callSnapshots, 'service.changed': allServices, 'rating.changed': allRatings },
      seed: pricing.seed,
    };
  },
});
