import { on } from '@tutoring/shared/events/subscribe';
import { defineService, type ServiceDeps } from '@tutoring/shared/service';
import { chargeRoutes } from './charges/charge-routes.ts';
import { createCharges } from './charges/charge-service.ts';
import { walletConfig, type WalletConfig } from './config.ts';
import { depositAdminRoutes, depositRoutes } from './deposits/deposit-routes.ts';
import { createDeposits } from './deposits/deposit-service.ts';
import { holdRoutes } from './holds/hold-routes.ts';
import { ledgerRoutes } from './ledger/ledger-routes.ts';
import { createLedger } from './ledger/ledger-store.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { createSandbox } from './providers/sandbox.ts';
import { saveSetting } from './settings/setting-store.ts';
import { createPeople } from './users/people.ts';
import { saveUser } from './users/user-store.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';
import { createWebhooks } from './webhooks/webhook-service.ts';
import { withdrawalAdminRoutes, withdrawalRoutes } from './withdrawals/withdrawal-routes.ts';
import { createWithdrawals } from './withdrawals/withdrawal-service.ts';

const EXPIRE_AT_ONCE = 200;

function build({ config, database, logger, internal }: ServiceDeps<WalletConfig>) {
  const publicUrl = config.PUBLIC_URL;
  const currency = config.CURRENCY;
  const ledger = createLedger(currency);
  const people = createPeople({ database, identity: internal(config.IDENTITY_URL), logger });
  const sandbox = createSandbox({ secret: config.SANDBOX_WEBHOOK_SECRET ?? '', publicUrl });
  const providers = [sandbox.provider];
  const deposits = createDeposits({ database, ledger, people, provider: sandbox.provider, logger });
  const withdrawals = createWithdrawals({ database, ledger, people });
  const charges = createCharges({ database, currency });
  const webhooks = createWebhooks({ database, ledger, logger });
  const records = { database, people, publicUrl };

  return {
    routes: [
      ...ledgerRoutes({ database, currency }),
      ...depositRoutes({ ...records, deposits }),
      ...depositAdminRoutes({ ...records, deposits }),
      ...withdrawalRoutes({ ...records, withdrawals }),
      ...withdrawalAdminRoutes({ ...records, withdrawals }),
      ...paymentRoutes(records),
      ...webhookRoutes({ webhooks, providers }),
      ...holdRoutes({ database, ledger }),
      ...chargeRoutes({ database, charges }),
    ],
    subscriptions: [on('user.changed', saveUser), on('setting.changed', saveSetting)],
    jobs: [
      {
        name: 'expire-holds',
        everyMs: 5_000,
        run: () => database.autocommit((tx) => ledger.expireHolds(tx, EXPIRE_AT_ONCE)),
      },
      { name: 'cancel-unpaid-deposits', everyMs: 60_000, run: deposits.cancelUnpaid },
    ],
  };
}

/** Money: a double-entry ledger, deposits, withdrawals, payments and the charges of calls. */
export const wallet = defineService({
  name: 'wallet',
  config: walletConfig,
  entities: [],
  migrations: new URL('../migrations/', import.meta.url),
  build,
});
