import type { Database } from '@tutoring/shared/database/open';
import { on, onSnapshots } from '@tutoring/shared/events/consume/subscription';
import { createFiles, type Files } from '@tutoring/shared/files/files';
import { cleaningJob } from '@tutoring/shared/files/records-store';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { defineService, type ServiceDeps } from '@tutoring/shared/service';
import { createAdminLogin } from './admins/admin-login-service.ts';
import { createAdminReset } from './admins/admin-reset-service.ts';
import { adminRoutes } from './admins/admin-routes.ts';
import { createAdmins, type Admins } from './admins/admin-service.ts';
import { lockSeeding } from './admins/admin-store.ts';
import { ADMIN_USAGE, createOperator } from './admins/operator-service.ts';
import { ownAccountRoutes } from './admins/own-account-routes.ts';
import { createOwnAccount } from './admins/own-account-service.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { insertAudit } from './audit/audit-store.ts';
import { catalogueRoutes } from './catalogue/catalogue-routes.ts';
import { createCatalogue, type Catalogue } from './catalogue/catalogue-service.ts';
import { skillNames } from './catalogue/catalogue-store.ts';
import { createCodeHashes } from './codes/code.ts';
import { createCodeRequests } from './codes/code-service.ts';
import { forgetCodes } from './codes/code-store.ts';
import { identityConfig, type IdentityConfig } from './config.ts';
import { createCredentials } from './credentials/credential-service.ts';
import { createHasher } from './credentials/hasher.ts';
import { forgetOld } from './credentials/lockout-store.ts';
import { carriersOf } from './delivery/carrier.ts';
import { createDelivery, type Delivery } from './delivery/delivery-service.ts';
import { exportRoutes } from './export/export-routes.ts';
import { createExports } from './export/export-service.ts';
import { loginRoutes } from './login/login-routes.ts';
import { createLogin } from './login/login-service.ts';
import { createAddressChange } from './profile/address-service.ts';
import { createDeletion, type Deletion } from './profile/deletion-service.ts';
import { photoRoutes } from './photos/photo-routes.ts';
import { createPhotos } from './photos/photo-service.ts';
import { PHOTO_TABLE } from './photos/photo-store.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { createProfile } from './profile/profile-service.ts';
import { createRegistrationCodes } from './registration/registration-code-service.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import { createRegistration } from './registration/registration-service.ts';
import { resetRoutes } from './reset/reset-routes.ts';
import { createReset } from './reset/reset-service.ts';
import { settingRoutes } from './settings/setting-routes.ts';
import { createSettings, type Settings } from './settings/setting-service.ts';
import { createSocial } from './social/social.ts';
import { forgetSpentTokens } from './social/social-store.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { teacherRoutes } from './teachers/teacher-routes.ts';
import { sessionRoutes } from './tokens/session-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { createTokens, type Tokens } from './tokens/token-service.ts';
import { createSeal } from './totp/totp.ts';
import { createTotp, type Totp } from './totp/totp-service.ts';
import { createPeople } from './users/person-service.ts';
import { userRoutes } from './users/user-routes.ts';
import { createUsers, type Users } from './users/user-service.ts';
import { countCalls, saveBalances } from './users/user-store.ts';

/** What several features use. */
async function foundations(deps: ServiceDeps<IdentityConfig>) {
  const { config, database, bus, logger, internal, wakeJob } = deps;
  const publicUrl = config.PUBLIC_URL;
  const wallet = internal('wallet', config.WALLET_URL);
  const hasher = await createHasher({ memoryKib: config.ARGON2_MEMORY_KIB, passes: config.ARGON2_PASSES });
  const codeHashes = createCodeHashes(config.CODE_KEYS);
  const idle = { userDays: config.USER_TOKEN_IDLE_DAYS, adminHours: config.ADMIN_TOKEN_IDLE_HOURS };
  const countries = config.SMS_COUNTRIES.length > 0 ? config.SMS_COUNTRIES : [config.DEFAULT_COUNTRY];
  const sms = { perNumberPerDay: config.SMS_PER_NUMBER_PER_DAY, countries, testNumbers: config.TWILIO_TEST_NUMBERS };
  const sendLimitFactor = config.SEND_LIMIT_FACTOR;
  const wakeDelivery = () => wakeJob('delivery');
  const delivery = createDelivery({
    ...{ database, carriers: carriersOf(config), sms, sendLimitFactor, logger },
    wake: wakeDelivery,
  });
  return {
    database,
    country: config.DEFAULT_COUNTRY,
    publicUrl,
    wallet,
    hasher,
    codeHashes,
    delivery,
    credentials: createCredentials({ database, hasher }),
    social: await createSocial(config, logger),
    people: createPeople({ database, wallet, publicUrl, logger }),
    tokens: createTokens({ database, bus, logger, idle }),
    totp: createTotp({ database, seal: createSeal(config.TOTP_KEYS ?? config.CODE_KEYS), logger }),
    codeRequests: createCodeRequests({ database, delivery, wake: () => wakeJob('codes') }),
  };
}

/** How people and administrators log in, and what handles their requests for codes. */
function createEntrances(base: Awaited<ReturnType<typeof foundations>>, config: IdentityConfig) {
  const { manager } = base.database;
  const login = createLogin(base);
  const registrationCodes = createRegistrationCodes(base);
  const registration = createRegistration({
    ...base,
    codes: registrationCodes,
    skillNames: (ids) => skillNames(manager, ids),
  });
  const reset = createReset({ ...base, withoutToken: config.RESET_WITHOUT_TOKEN });
  const adminLogin = createAdminLogin(base);
  const adminReset = createAdminReset(base);
  const answerCodes = () =>
    base.codeRequests.answer({
      login: login.answerRequest,
      reset: reset.answerRequest,
      admin_reset: adminReset.answerRequest,
      register: registrationCodes.answerRequest,
    });
  return { login, registrationCodes, registration, reset, adminLogin, adminReset, answerCodes };
}

async function build(deps: ServiceDeps<IdentityConfig>) {
  const { config, database, logger, internal, wakeJob } = deps;
  const base = await foundations(deps);
  const { people, tokens, wallet } = base;
  const calls = internal('calls', config.CALLS_URL);
  const services = { wallet, calls, messaging: internal('messaging', config.MESSAGING_URL) };

  const admins = createAdmins(base);
  const catalogue = createCatalogue({ database, wakeStale: () => wakeJob('stale') });
  const files = createFiles(config, 'photos');
  const wakeCleaning = () => wakeJob('photos');
  const deletion = createDeletion({ ...base, calls, wakeForfeits: () => wakeJob('forfeits'), wakeCleaning });
  const entrances = createEntrances(base, config);
  const exports = createExports({ ...base, services });
  const profile = createProfile({ ...base, addressChange: createAddressChange(base), wakeCleaning });
  const photos = createPhotos({ ...base, files, wakeCleaning });
  const settings = createSettings(base);
  const users = createUsers(base);

  return {
    routes: [
      ...registrationRoutes({ ...base, ...entrances }),
      ...loginRoutes({ ...base, ...entrances }),
      ...tokenRoutes(base),
      ...sessionRoutes(base),
      ...resetRoutes(entrances),
      ...photoRoutes({ photos }),
      ...profileRoutes({ ...base, profile, deletion }),
      ...exportRoutes({ exports }),
      ...teacherRoutes(base),
      ...userRoutes({ ...base, users }),
      ...ownAccountRoutes({ ...entrances, ownAccount: createOwnAccount(base) }),
      ...adminRoutes({ ...base, admins }),
      ...settingRoutes({ ...base, settings }),
      ...catalogueRoutes({ ...base, catalogue }),
      ...auditRoutes(base),
      ...statsRoutes({ database, services, logger }),
    ],
    subscriptions: subscriptions(),
    jobs: jobs({ ...base, ...entrances, files, deletion, users }),
    snapshots: {
      'user.changed': people.snapshots,
      'devices.changed': tokens.deviceSnapshots,
      'admin.changed': admins.snapshots,
      'setting.changed': settings.snapshots,
      'plan.changed': catalogue.planSnapshots,
    },
    seed: () => seed(config, database, { admins, catalogue, settings, totp: base.totp }),
  };
}

const jobs = (parts: {
  database: Database;
  files: Files;
  answerCodes: () => Promise<void>;
  delivery: Delivery;
  deletion: Deletion;
  tokens: Tokens;
  users: Users;
}): Job[] => [
  { name: 'delivery', everyMs: 1_000, run: parts.delivery.deliverDue },
  { name: 'codes', everyMs: 1_000, run: parts.answerCodes },
  { name: 'token-uses', everyMs: 1_000, run: parts.tokens.writeUses },
  { name: 'stale', everyMs: 10_000, run: parts.users.publishStale },
  { name: 'forfeits', everyMs: 10_000, run: parts.deletion.settleForfeits },
  { name: 'idle-tokens', everyMs: 600_000, run: parts.tokens.removeIdle },
  { name: 'forget', everyMs: 600_000, run: () => forget(parts.database) },
  cleaningJob({ name: 'photos', table: PHOTO_TABLE, ...parts }),
];

/** What identity stores about the other services' state. */
const subscriptions = () => [
  on('admin.acted', async (tx, entry) => void (await insertAudit(tx, entry))),
  onSnapshots('balance.changed', saveBalances),
  // An accepted call stays one: the newest snapshot tells it.
  onSnapshots('call.changed', (tx, calls) =>
    countCalls(
      tx,
      calls.filter((call) => call.accepted_at !== null),
    ),
  ),
];

/** Removes codes, submissions, failures and spent tokens that no longer count. */
async function forget(database: Database) {
  const left: boolean[] = [];
  for (const forgetSome of [forgetCodes, forgetOld, forgetSpentTokens])
    left.push(await database.autocommit(forgetSome));
  return moreIf(left.includes(true));
}

async function seed(
  config: IdentityConfig,
  database: Database,
  parts: { admins: Admins; catalogue: Catalogue; settings: Settings; totp: Totp },
): Promise<void> {
  await database.transact(async (tx) => {
    await lockSeeding(tx);
    await parts.catalogue.seed(tx);
    await parts.settings.seed(tx);
    await parts.totp.rotate(tx);
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
    if (email && password) await parts.admins.seed(tx, { email, password });
  });
}

/** Accounts, codes, tokens, administrators, settings, the catalogue and the audit log. */
export const identity = defineService({
  name: 'identity',
  config: identityConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build,
  commands: {
    admin: {
      usage: ADMIN_USAGE,
      run: async (deps, args) => createOperator(await foundations(deps)).run(args),
    },
  },
});
