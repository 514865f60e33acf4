import type { Reader } from '@tutoring/shared/kit/database/open';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import { onSnapshots } from '@tutoring/shared/contract/subscriptions';
import { saveSettings } from '@tutoring/shared/contract/setting-copies';
import { defineService, type ServiceDeps } from '@tutoring/shared/contract/service';
import { auditJobs } from './audit/audit-job.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { itemRoutes } from './batches/item-routes.ts';
import { breakRoutes } from './breaks/break-routes.ts';
import { chargeRoutes } from './charges/charge-routes.ts';
import { checkoutRoutes } from './checkout/checkout-routes.ts';
import { closingRoutes } from './closing/closing-routes.ts';
import { applyUserChanges } from './closing/closing-service.ts';
import { debtorOf, walletConfig, type WalletConfig } from './config.ts';
import { askJob } from './deposits/ask-job.ts';
import { depositRefundRoutes } from './deposit-refunds/deposit-refund-routes.ts';
import { depositRoutes } from './deposits/deposit-routes.ts';
import { cancelUnpaid } from './deposits/deposit-service.ts';
import { depositStore } from './deposits/deposit-store.ts';
import { disputeRoutes } from './disputes/dispute-routes.ts';
import { expireHolds } from './holds/hold-service.ts';
import { ledgerRoutes } from './ledger/ledger-routes.ts';
import { allBalances } from './ledger/statement-store.ts';
import type { Parts } from './parts.ts';
import { payoutAccountRoutes } from './payout-accounts/payout-account-routes.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { allRefunds } from './payments/payment-store.ts';
import { configuredProviders } from './providers/configured.ts';
import { reconciliationRoutes } from './reconciliations/reconciliation-routes.ts';
import { refundRoutes } from './refunds/refund-routes.ts';
import { resultRoutes } from './results/result-routes.ts';
import { balanceJob } from './stats/balance-job.ts';
import { watchClaims } from './stats/claim-gauge.ts';
import { watchPayments } from './stats/payment-gauge.ts';
import { watchPayouts } from './stats/payout-gauge.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { countLedger } from './stats/stats-store.ts';
import { createPeople } from './users/user-service.ts';
import { withdrawalDecisionRoutes } from './withdrawal-decisions/withdrawal-decision-routes.ts';
import { withdrawalRoutes } from './withdrawals/withdrawal-routes.ts';
import { withdrawalStore } from './withdrawals/withdrawal-store.ts';

const jobs = ({ config, database, logger, metrics }: ServiceDeps<WalletConfig>, parts: Parts): Job[] => [
  {
    name: 'expire-holds',
    purpose: 'expires holds that were neither captured nor released in time',
    movesMoney: true,
    everyMs: 5_000,
    run: () => expireHolds(parts),
  },
  {
    name: 'cancel-unpaid-deposits',
    purpose: 'cancels deposits that were not paid within 24 hours',
    everyMs: 60_000,
    run: () => cancelUnpaid(parts),
  },
  askJob(parts),
  balanceJob(parts, metrics),
  {
    name: 'count-ledger',
    purpose: 'adds settled transfers to the daily statistics',
    everyMs: 10_000,
    run: async () => moreIf(await database.transact((tx) => countLedger(tx))),
  },
  ...auditJobs({ database, logger, metrics, hour: config.AUDIT_HOUR }),
];

async function build(deps: ServiceDeps<WalletConfig>) {
  const { config, database, logger, metrics, internal, wakeJob } = deps;
  const { PUBLIC_URL: publicUrl, CURRENCY: currency } = config;
  const providers = await configuredProviders(config, metrics.registry);
  watchPayments(metrics, database.manager);
  watchClaims(metrics, database.manager);
  watchPayouts(metrics, database.manager);
  const identity = internal('identity', config.IDENTITY_URL);
  const parts: Parts = {
    ...{ database, logger, providers, identity, currency, publicUrl },
    people: createPeople({ database, identity, logger }),
    payoutMethods: config.PAYOUT_METHODS,
    debtor: debtorOf(config),
    wakeAsking: () => wakeJob('ask-providers'),
  };

  return {
    routes: [
      ledgerRoutes,
      depositRoutes,
      withdrawalRoutes,
      withdrawalDecisionRoutes,
      payoutAccountRoutes,
      batchRoutes,
      itemRoutes,
      resultRoutes,
      reconciliationRoutes,
      paymentRoutes,
      refundRoutes,
      disputeRoutes,
      depositRefundRoutes,
      breakRoutes,
      checkoutRoutes,
      chargeRoutes,
      closingRoutes,
      statsRoutes,
    ].flatMap((routesOf) => routesOf(parts)),
    subscriptions: [onSnapshots('user.changed', applyUserChanges), onSnapshots('setting.changed', saveSettings)],
    jobs: jobs(deps, parts),
    snapshots: {
      'balance.changed': (reader: Reader) => allBalances(reader, currency),
      'refunds.changed': allRefunds,
      'deposit.changed': depositStore.all,
      'withdrawal.changed': withdrawalStore.all,
    },
  };
}

/** The money service: a double-entry ledger, deposits, withdrawals, payments and charges of calls. */
export const wallet = defineService({
  name: 'wallet',
  config: walletConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build,
});
