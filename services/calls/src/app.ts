import { defineService } from '@tutoring/shared/service';
import { createAcceptance } from './calls/accept-service.ts';
import { participantCallRoutes, studentCallRoutes, teacherCallRoutes } from './calls/call-routes.ts';
import { createEnding } from './calls/end-service.ts';
import { historyRoutes } from './calls/history-routes.ts';
import { callSnapshots } from './calls/history-store.ts';
import { createJoining } from './calls/join-service.ts';
import { createRinging } from './calls/ring-service.ts';
import { createCatalogue } from './catalogue/services-service.ts';
import { servicesRoutes } from './catalogue/services-routes.ts';
import { allServices } from './catalogue/services-store.ts';
import { callsConfig } from './config.ts';
import { internalRoutes } from './internal/internal-routes.ts';
import { createBilling } from './meter/bill-service.ts';
import { meterJobs } from './meter/meter-jobs.ts';
import { createSettlement } from './meter/settlement.ts';
import { createWallet } from './meter/wallet.ts';
import { createPeople } from './people/people.ts';
import { subscriptions } from './people/subscriptions.ts';
import { createRtc } from './provider/rtc.ts';

/** Call life cycle, metering, provider tokens, services catalogue and call history. */
export const calls = defineService({
  name: 'calls',
  config: callsConfig,
  entities: [],
  migrations: new URL('../migrations/', import.meta.url),
  build: ({ config, database, internal, logger }) => {
    const people = createPeople({ database, identity: internal('identity', config.IDENTITY_URL) });
    const wallet = createWallet({ client: internal('wallet', config.WALLET_URL), logger });
    const rtc = createRtc({
      appId: config.AGORA_APP_ID,
      certificate: config.AGORA_APP_CERTIFICATE,
      uid: config.RTC_UID === 'user' ? 'user' : 'shared',
    });
    const catalogue = createCatalogue(database);
    const settlement = createSettlement({ database, wallet });
    const ringing = createRinging({ database, people, wallet, rtc, roomNamespace: config.ROOM_NAMESPACE });
    const acceptance = createAcceptance({ database, people, wallet });
    const billing = createBilling({ database, settlement });
    const ending = createEnding({ database, settlement });
    const joining = createJoining({ database, rtc, wallet });
    const call = { ringing, acceptance, billing, ending, joining, rtc };
    return {
      routes: [
        ...servicesRoutes({ database, catalogue }),
        ...studentCallRoutes(call),
        ...teacherCallRoutes(call),
        ...participantCallRoutes(call),
        ...historyRoutes({ database }),
        ...internalRoutes({ database, rtc }),
      ],
      subscriptions,
      jobs: [ringing.timeoutJob, settlement.job, ...meterJobs({ database, wallet })],
      snapshots: { 'call.changed': callSnapshots, 'service.changed': allServices },
      seed: catalogue.seed,
    };
  },
});
