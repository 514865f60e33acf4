import { moreIf, type Job } from '@tutoring/shared/jobs';
import { onSnapshots } from '@tutoring/shared/events/consume/subscription';
import type { Snapshots } from '@tutoring/shared/events/operate/resync';
import { saveSettings } from '@tutoring/shared/internal/setting-copies';
import { defineService, type ServiceDeps } from '@tutoring/shared/service';
import { auditJobs } from './audit/audit-job.ts';
import { chargeRoutes } from './charges/charge-routes.ts';
import { createCharging } from './charges/charge-service.ts';
import { checkoutRoutes, returnRoutes } from './checkout/checkout-routes.ts';
import { closingRoutes } from './closing/closing-routes.ts';
import { applyUserChanges, createClosing } from './closing/closing-service.ts';
import { walletConfig, type WalletConfig } from './config.ts';
import { publicDeposit } from './deposits/deposit.ts';
import { depositRoutes } from './deposits/deposit-routes.ts';
import { createDeposits } from './deposits/deposit-service.ts';
import { depositStore } from './deposits/deposit-store.ts';
import { holdRoutes } from './holds/hold-routes.ts';
import { createHolds } from './holds/hold-service.ts';
import { ledgerRoutes } from './ledger/ledger-routes.ts';
import { createLedger } from './ledger/ledger-service.ts';
import { allBalances } from './ledger/statement-store.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { configuredProviders } from './providers/configured.ts';
import { refundRoutes } from './refunds/refund-routes.ts';
import { createRefunds } from './refunds/refund-service.ts';
import { allRefunds } from './refunds/refund-store.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { countLedger } from './stats/stats-store.ts';
import { createPeople } from './users/user-service.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';
import { createWebhooks } from './webhooks/webhook-service.ts';
import { publicWithdrawal } from './withdrawals/withdrawal.ts';
import { withdrawalRoutes } from './withdrawals/withdrawal-routes.ts';
import { createWithdrawals } from './withdrawals/withdrawal-service.ts';
import { withdrawalStore } from './withdrawals/withdrawal-store.ts';

type Parts = { holds: ReturnType<typeof createHolds>; deposits: ReturnType<typeof createDeposits> };

const jobs = ({ config, database, logger, metrics }: ServiceDeps<WalletConfig>, { holds, deposits }: Parts): Job[] => [
  {
    name: 'expire-holds',
    purpose: 'gives back holds that nobody has captured or released in time',
    movesMoney: true,
    everyMs: 5_000,
    run: holds.expire,
  },
  {
    name: 'cancel-unpaid-deposits',
    purpose: 'cancels deposits that were not paid within 24 hours',
    everyMs: 60_000,
    run: deposits.cancelUnpaid,
  },
  {
    name: 'count-ledger',
    purpose: 'keeps the statistics of the ledger',
    everyMs: 10_000,
    run: async () => moreIf(await database.transact((tx) => countLedger(tx))),
  },
  ...auditJobs({ database, logger, metrics, hour: config.AUDIT_HOUR }),
];

/** This service's snapshots, for `events resync`. */
const snapshots = (currency: string): Snapshots => ({
  'balance.changed': (reader) => allBalances(reader, currency),
  'refunds.changed': allRefunds,
  'deposit.changed': async function* (reader) {
    for await (const deposit of depositStore.all(reader)) yield { ...publicDeposit(deposit), version: deposit.version };
  },
  'withdrawal.changed': async function* (reader) {
    for await (const withdrawal of withdrawalStore.all(reader))
      yield { ...publicWithdrawal(withdrawal), version: withdrawal.version };
  },
});

async function build(deps: ServiceDeps<WalletConfig>) {
  const { config, database, logger, internal } = deps;
  const { PUBLIC_URL: publicUrl, CURRENCY: currency } = config;
  const ledger = createLedger(currency);
  const holds = createHolds({ database, ledger });
  const providers = await configuredProviders(config);
  const people = createPeople({ database, identity: internal('identity', config.IDENTITY_URL), logger });
  const deposits = createDeposits({ database, ledger, people, provider: providers.current, logger });
  const withdrawals = createWithdrawals({ database, ledger, holds, people });
  const charge = createCharging({ database, currency });
  const refunds = createRefunds({ database, ledger, people });
  const webhooks = createWebhooks({ database, ledger, logger });
  const records = { database, people, publicUrl };
  const { sandbox } = providers;

  return {
    routes: [
      ...ledgerRoutes({ database, currency, isKnown: async (id) => (await people.find([id])).has(id) }),
      ...depositRoutes({ ...records, deposits }),
      ...withdrawalRoutes({ ...records, withdrawals }),
      ...paymentRoutes(records),
      ...refundRoutes({ refunds }),
      ...webhookRoutes({ webhooks, providers: providers.all }),
      ...returnRoutes,
      ...(sandbox ? checkoutRoutes({ database, sandbox, webhooks }) : []),
      ...holdRoutes({ holds }),
      ...chargeRoutes({ charge, logger }),
      ...closingRoutes({ database, closing: createClosing({ database, ledger }) }),
      ...statsRoutes({ database }),
    ],
    subscriptions: [onSnapshots('user.changed', applyUserChanges), onSnapshots('setting.changed', saveSettings)],
    jobs: jobs(deps, { holds, deposits }),
    snapshots: snapshots(currency),
  };
}

/** Money: a double-entry ledger, deposits, withdrawals, payments and the charges of calls. */
export const wallet = defineService({
  name: 'wallet',
  config: walletConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build,
});
