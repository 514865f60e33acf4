import type { Database } from '@tutoring/shared/kit/database/open';
import { sweep } from '@tutoring/shared/kit/database/sql';
import { on, onSnapshots } from '@tutoring/shared/contract/subscriptions';
import { createFiles, type Files } from '@tutoring/shared/kit/files/files';
import { cleaningJob } from '@tutoring/shared/kit/files/records-store';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import { defineService } from '@tutoring/shared/contract/service';
import { adminRoutes, ownAccountRoutes } from './admins/admin-routes.ts';
import { createAdmins } from './admins/admin-service.ts';
import { adminByEmail, listAdmins, lockSeeding } from './admins/admin-store.ts';
import { ADMIN_USAGE, createOperator } from './admins/operator-service.ts';
import { createOwnAccount } from './admins/own-account-service.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { insertAudit } from './audit/audit-store.ts';
import { catalogueRoutes } from './catalogue/catalogue-routes.ts';
import { createCatalogue } from './catalogue/catalogue-service.ts';
import { allPlans } from './catalogue/catalogue-store.ts';
import { NEXT_CODE_REQUEST_IN, EXPIRED_CODES } from './codes/code-store.ts';
import { identityConfig, type Deps } from './config.ts';
import { EXPIRED_LOGINS } from './credentials/lockout-store.ts';
import { exportRoutes } from './export/export-routes.ts';
import { createExports } from './export/export-service.ts';
import { createParts, type Parts } from './parts.ts';
import { loginRoutes } from './login/login-routes.ts';
import { createLogin } from './login/login-service.ts';
import { createDeletion, type Deletion } from './profile/deletion-service.ts';
import { photoRoutes } from './photos/photo-routes.ts';
import { createPhotos } from './photos/photo-service.ts';
import { PHOTO_TABLE } from './photos/photo-store.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { createProfile } from './profile/profile-service.ts';
import { applyRatings, rerank } from './ratings/rating-service.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import { createRegistration, type Registration } from './registration/registration-service.ts';
import { resetRoutes } from './reset/reset-routes.ts';
import { createReset } from './reset/reset-service.ts';
import { settingRoutes } from './settings/setting-routes.ts';
import { createSettings } from './settings/setting-service.ts';
import { allSettings } from './settings/setting-store.ts';
import { EXPIRED_SPENT_TOKENS } from './social/social-store.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { createStats } from './stats/stats-service.ts';
import { favouriteRoutes, teacherRoutes } from './teachers/teacher-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { allDevices } from './tokens/token-store.ts';
import { userRoutes } from './users/user-routes.ts';
import { countCalls, loginByEmail, loginByPhone, saveBalances } from './users/user-store.ts';

async function build(deps: Deps) {
  const { config, database } = deps;
  const base = await createParts(deps);
  const admins = createAdmins(base);
  const catalogue = createCatalogue(base);
  const deletion = createDeletion(base);
  const files = createFiles(config, 'photos', deps.logger);
  const registration = createRegistration(base);
  const settings = createSettings(base);

  return {
    routes: [
      ...registrationRoutes(base, registration),
      ...loginRoutes(base, createLogin(base)),
      ...tokenRoutes(base),
      ...resetRoutes(base, createReset(base)),
      ...photoRoutes(createPhotos({ ...base, files })),
      ...profileRoutes(base, createProfile(base), deletion),
      ...exportRoutes(createExports(base)),
      ...teacherRoutes(base),
      ...favouriteRoutes(base),
      ...userRoutes(base),
      ...ownAccountRoutes(base, createOwnAccount(base, admins)),
      ...adminRoutes(base, admins),
      ...settingRoutes(base, settings),
      ...catalogueRoutes(base, catalogue),
      ...auditRoutes(base),
      ...statsRoutes(createStats(base)),
    ],
    subscriptions,
    jobs: jobs({ ...base, files, deletion, registration }),
    snapshots: {
      'user.changed': base.users.snapshots,
      'devices.changed': allDevices,
      'admin.changed': listAdmins,
      'setting.changed': allSettings,
      'plan.changed': allPlans,
    },
    seed: () =>
      database.transact(async (tx) => {
        await lockSeeding(tx);
        await catalogue.seed(tx);
        await settings.seed(tx);
        await base.totp.rotate(tx);
        const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
        if (email && password) await admins.seed(tx, { email, password });
      }),
  };
}

type JobParts = Parts & { files: Files; deletion: Deletion; registration: Registration };

/** Handles requests for codes, each by its purpose. */
const handleCodeRequests = ({ codes, registration }: Pick<JobParts, 'codes' | 'registration'>) =>
  codes.handleRequests({
    login: codes.sendToOwner(loginByPhone),
    reset: codes.sendToOwner(loginByEmail),
    admin_reset: codes.sendToOwner(adminByEmail),
    register: registration.handleCodeRequest,
  });

const jobs = ({ database, delivery, deletion, files, tokens, users, ...parts }: JobParts): Job[] => [
  ...delivery.jobs,
  {
    name: 'codes',
    purpose: 'sends requested codes',
    dueIn: NEXT_CODE_REQUEST_IN,
    run: () => handleCodeRequests(parts),
  },
  { name: 'token-uses', purpose: 'records the last use of tokens', everyMs: 1_000, run: tokens.writeUses },
  { name: 'stale', purpose: 'publishes users whose skill was renamed', everyMs: 10_000, run: users.publishStale },
  {
    name: 'ratings',
    purpose: 'ranks teachers again by a changed prior',
    everyMs: 60_000,
    run: () => rerank(database),
  },
  {
    name: 'forfeits',
    purpose: 'forfeits balances of deleted accounts',
    movesMoney: true,
    everyMs: 10_000,
    run: deletion.settleForfeits,
  },
  { name: 'idle-tokens', purpose: 'removes idle tokens', everyMs: 600_000, run: tokens.removeIdle },
  {
    name: 'forget',
    purpose: 'deletes expired codes and counters',
    everyMs: 600_000,
    run: () => sweepExpired(database),
  },
  cleaningJob({ name: 'photos', table: PHOTO_TABLE, database, files }),
];

/** Copies of other services' state. */
const subscriptions = [
  on('admin.acted', async (tx, entry) => void (await insertAudit(tx, entry))),
  onSnapshots('balance.changed', saveBalances),
  // `accepted_at` is never reset, so the newest snapshot of a call is enough.
  onSnapshots('call.changed', (tx, calls) =>
    countCalls(
      tx,
      calls.filter((call) => call.accepted_at !== null),
    ),
  ),
  onSnapshots('rating.changed', applyRatings),
];

/** Removes expired codes, submissions, login counters and spent tokens. */
async function sweepExpired(database: Database) {
  const left: boolean[] = [];
  for (const old of [...EXPIRED_CODES, ...EXPIRED_LOGINS, EXPIRED_SPENT_TOKENS])
    left.push(await sweep(database.manager, old));
  return moreIf(left.includes(true));
}

/** Accounts, codes, tokens, administrators, settings, the catalogue and the audit log. */
export const identity = defineService({
  name: 'identity',
  config: identityConfig,
  migrations: new URL('../migrations/', import.meta.url),
  build,
  commands: {
    admin: { usage: ADMIN_USAGE, run: async (deps, args) => createOperator(await createParts(deps)).run(args) },
  },
});
