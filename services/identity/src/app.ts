import { on } from '@tutoring/shared/events/subscribe';
import { defineService, type ServiceDeps } from '@tutoring/shared/service';
import { adminRoutes } from './admins/admin-routes.ts';
import { createAdmins } from './admins/admin-service.ts';
import { lockSeeding } from './admins/admin-store.ts';
import { auditRoutes } from './audit/audit.ts';
import { insertAudit } from './audit/audit-store.ts';
import { catalogueRoutes } from './catalogue/catalogue-routes.ts';
import { createCatalogue } from './catalogue/catalogue-service.ts';
import { skillNames } from './catalogue/catalogue-store.ts';
import { createCodeHash } from './codes/code.ts';
import { createCodeRequests } from './codes/code-requests.ts';
import { identityConfig, type IdentityConfig } from './config.ts';
import { carriersOf } from './delivery/carriers.ts';
import { createDelivery } from './delivery/delivery.ts';
import { createCredentials } from './login/credentials.ts';
import { createHasher } from './login/hasher.ts';
import { loginRoutes } from './login/login-routes.ts';
import { createLogin } from './login/login-service.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import { createRegistration } from './registration/registration-service.ts';
import { settingRoutes } from './settings/setting-routes.ts';
import { createSettings } from './settings/setting-service.ts';
import { createSocial } from './social/social.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { createTokens } from './tokens/tokens.ts';
import { createPeople } from './users/people.ts';
import { createUsers } from './users/users-service.ts';
import { usersRoutes } from './users/users-routes.ts';

/** Everything that the service does, wired together. */
async function assemble(deps: ServiceDeps<IdentityConfig>) {
  const { config, database, bus, logger, internal, wakeJob } = deps;
  const { PUBLIC_URL: publicUrl, DEFAULT_COUNTRY: country } = config;
  const wallet = internal(config.WALLET_URL);

  const hasher = await createHasher({ memoryKib: config.ARGON2_MEMORY_KIB, passes: config.ARGON2_PASSES });
  const codeHash = createCodeHash(config.INTERNAL_KEYS[0]!.secret);
  const credentials = createCredentials({ database, hasher });
  const social = createSocial(config, logger);
  const people = createPeople({ database, wallet, publicUrl, logger });
  const idle = { userDays: config.USER_TOKEN_IDLE_DAYS, adminHours: config.ADMIN_TOKEN_IDLE_HOURS };
  const tokens = createTokens({ database, bus, logger, idle });
  const sms = { perNumberPerDay: config.SMS_PER_NUMBER_PER_DAY, testNumbers: config.TWILIO_TEST_NUMBERS };
  const wakeDelivery = () => wakeJob('delivery');
  const delivery = createDelivery({ database, carriers: carriersOf(config), sms, logger, wake: wakeDelivery });
  const codeRequests = createCodeRequests({ database, delivery, codeHash, wake: () => wakeJob('codes') });

  const catalogue = createCatalogue({ database, wakeStale: () => wakeJob('stale') });
  const settings = createSettings({ database });
  const admins = createAdmins({ database, hasher, credentials, tokens });
  const users = createUsers({ database, tokens, people });
  const login = createLogin({ database, credentials, codeHash, social, tokens, people, country });
  const registration = createRegistration({
    ...{ database, hasher, codeHash, delivery, social, tokens, people, country },
    skillNames: (ids) => skillNames(database.manager, ids),
  });

  return { admins, catalogue, codeRequests, delivery, login, people, registration, settings, tokens, users };
}

async function build(deps: ServiceDeps<IdentityConfig>) {
  const { config, database } = deps;
  const { PUBLIC_URL: publicUrl, DEFAULT_COUNTRY: country } = config;
  const parts = await assemble(deps);
  const { admins, catalogue, codeRequests, delivery, login, people, registration, settings, tokens, users } = parts;

  return {
    routes: [
      ...registrationRoutes({ database, registration, country }),
      ...loginRoutes({ database, login, tokens, codeRequests, country }),
      ...tokenRoutes({ database, tokens }),
      ...profileRoutes({ people }),
      ...usersRoutes({ database, users, people, publicUrl }),
      ...adminRoutes({ database, admins }),
      ...settingRoutes({ database, settings, publicUrl }),
      ...catalogueRoutes({ database, catalogue }),
      ...auditRoutes({ database, publicUrl }),
    ],
    subscriptions: [on('admin.acted', async (tx, entry) => void (await insertAudit(tx, entry)))],
    jobs: [
      { name: 'delivery', everyMs: 1_000, run: delivery.deliverDue },
      { name: 'codes', everyMs: 1_000, run: codeRequests.answer },
      { name: 'token-uses', everyMs: 1_000, run: tokens.writeUses },
      { name: 'idle-tokens', everyMs: 3_600_000, run: tokens.removeIdle },
      { name: 'stale', everyMs: 10_000, run: users.tellStale },
    ],
    snapshots: {
      'user.changed': people.snapshots,
      'devices.changed': tokens.deviceSnapshots,
      'plan.changed': catalogue.planSnapshots,
    },
    seed: async () => {
      await database.transact(async (tx) => {
        await lockSeeding(tx);
        await catalogue.seed(tx);
        await settings.seed(tx);
        const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
        if (email && password) await admins.seed(tx, { email, password });
      });
    },
  };
}

/** Accounts, codes, tokens, administrators, settings, the catalogue and the audit log. */
export const identity = defineService({
  name: 'identity',
  config: identityConfig,
  entities: [],
  migrations: new URL('../migrations/', import.meta.url),
  build,
});
