import type { Reader } from '@tutoring/shared/kit/database/open';
import { sweep } from '@tutoring/shared/kit/database/sql';
import { on, onSnapshots } from '@tutoring/shared/contract/subscriptions';
import { createFiles } from '@tutoring/shared/kit/files/files';
import { cleaningJob } from '@tutoring/shared/kit/files/records-store';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import { defineService, type ServiceDeps } from '@tutoring/shared/contract/service';
import { adminRoutes, ownAccountRoutes } from './admins/admin-routes.ts';
import { seedAdmin } from './admins/admin-service.ts';
import { adminByEmail, listAdmins, lockSeeding } from './admins/admin-store.ts';
import { ADMIN_USAGE, runOperator } from './admins/operator-service.ts';
import { invitationRoutes } from './admins/invitation-routes.ts';
import { tellMoney } from './announcements/announcement-service.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { insertAudit } from './audit/audit-store.ts';
import { catalogueRoutes } from './catalogue/catalogue-routes.ts';
import { seedCatalogue } from './catalogue/catalogue-service.ts';
import { allPlans } from './catalogue/catalogue-store.ts';
import * as codes from './codes/code-service.ts';
import { NEXT_CODE_REQUEST_IN, EXPIRED_CODES } from './codes/code-store.ts';
import { identityConfig, type IdentityConfig } from './config.ts';
import { startHashing } from './credentials/credential-service.ts';
import { EXPIRED_LOGINS } from './credentials/lockout-store.ts';
import { messageJobs } from './delivery/delivery-job.ts';
import { exportRoutes } from './export/export-routes.ts';
import { createExportQueue } from './export/export-service.ts';
import type { Parts } from './parts.ts';
import { loginRoutes } from './login/login-routes.ts';
import { settleForfeits } from './profile/deletion-service.ts';
import { payoutRoutes } from './payouts/payout-routes.ts';
import { photoRoutes } from './photos/photo-routes.ts';
import { PHOTO_TABLE } from './photos/photo-store.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { applyRatings, rerank } from './ratings/rating-service.ts';
import { registrationRoutes } from './registration/registration-routes.ts';
import { handleCodeRequest } from './registration/registration-service.ts';
import { resetRoutes } from './reset/reset-routes.ts';
import { settingRoutes } from './settings/setting-routes.ts';
import { seedSettings } from './settings/setting-service.ts';
import { allSettings } from './settings/setting-store.ts';
import { openSocial } from './social/social.ts';
import { EXPIRED_SPENT_TOKENS } from './social/social-store.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { favouriteRoutes, teacherRoutes } from './teachers/teacher-routes.ts';
import { removeIdle } from './tokens/token-service.ts';
import { writeUses } from './tokens/verification-service.ts';
import { rotateSecrets } from './totp/totp-service.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import { allDevices } from './tokens/token-store.ts';
import { userRoutes } from './users/user-routes.ts';
import { batchedBalances, publishStale, snapshots as userSnapshots } from './users/user-service.ts';
import { countCalls, loginByEmail, loginByPhone, saveBalances } from './users/user-store.ts';

/** Builds what the features share. */
async function openParts(given: ServiceDeps<IdentityConfig>): Promise<Parts> {
  const { config, logger, internal } = given;
  const wallet = internal('wallet', config.WALLET_URL);
  return {
    ...given,
    country: config.DEFAULT_COUNTRY,
    publicUrl: config.PUBLIC_URL,
    wallet,
    calls: internal('calls', config.CALLS_URL),
    messaging: internal('messaging', config.MESSAGING_URL),
    files: createFiles(config, 'photos', logger),
    idle: { user: `${config.USER_TOKEN_IDLE_DAYS} days`, admin: `${config.ADMIN_TOKEN_IDLE_HOURS} hours` },
    tokenUses: { used: new Set(), writing: Promise.resolve() },
    ...(await startHashing(config)),
    exportQueue: createExportQueue(),
    prove: await openSocial(config, logger),
    readBalance: batchedBalances(wallet),
  };
}

async function build(given: ServiceDeps<IdentityConfig>) {
  const parts = await openParts(given);
  return {
    routes: [
      registrationRoutes,
      loginRoutes,
      tokenRoutes,
      resetRoutes,
      photoRoutes,
      profileRoutes,
      payoutRoutes,
      exportRoutes,
      teacherRoutes,
      favouriteRoutes,
      userRoutes,
      ownAccountRoutes,
      adminRoutes,
      invitationRoutes,
      settingRoutes,
      catalogueRoutes,
      auditRoutes,
      statsRoutes,
    ].flatMap((routesOf) => routesOf(parts)),
    subscriptions: [...COPIES, on('money.announced', (tx, news) => tellMoney(parts, tx, news))],
    jobs: jobs(parts),
    snapshots: {
      'user.changed': (reader: Reader) => userSnapshots(parts, reader),
      'devices.changed': allDevices,
      'admin.changed': listAdmins,
      'setting.changed': allSettings,
      'plan.changed': allPlans,
    },
    seed: () =>
      parts.database.transact(async (tx) => {
        await lockSeeding(tx);
        await seedCatalogue(tx);
        await seedSettings(tx);
        await rotateSecrets(parts, tx);
        const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = parts.config;
        if (email && password) await seedAdmin(parts, tx, { email, password });
      }),
  };
}

/** Handles requests for codes, each by its purpose. */
const handleCodeRequests = (parts: Parts) =>
  codes.handleRequests(parts, {
    login: codes.sendToOwner(parts, loginByPhone),
    reset: codes.sendToOwner(parts, loginByEmail),
    admin_reset: codes.sendToOwner(parts, adminByEmail),
    register: (tx, request) => handleCodeRequest(parts, tx, request),
  });

const jobs = (parts: Parts): Job[] => [
  ...messageJobs(parts),
  {
    name: 'codes',
    purpose: 'sends requested codes',
    dueIn: NEXT_CODE_REQUEST_IN,
    run: () => handleCodeRequests(parts),
  },
  { name: 'token-uses', purpose: 'records the last use of tokens', everyMs: 1_000, run: () => writeUses(parts) },
  {
    name: 'stale',
    purpose: 'publishes users whose skill was renamed',
    everyMs: 10_000,
    run: () => publishStale(parts),
  },
  {
    name: 'ratings',
    purpose: 'ranks teachers again by a changed prior',
    everyMs: 60_000,
    run: () => rerank(parts),
  },
  {
    name: 'forfeits',
    purpose: 'forfeits balances of deleted accounts',
    movesMoney: true,
    everyMs: 10_000,
    run: () => settleForfeits(parts),
  },
  { name: 'idle-tokens', purpose: 'removes idle tokens', everyMs: 600_000, run: () => removeIdle(parts) },
  {
    name: 'forget',
    purpose: 'deletes expired codes and counters',
    everyMs: 600_000,
    run: () => sweepExpired(parts),
  },
  cleaningJob({ name: 'photos', table: PHOTO_TABLE, database: parts.database, files: parts.files }),
];

/** Copies of other services' state. */
const COPIES = [
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
async function sweepExpired({ database }: Parts) {
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
    admin: { usage: ADMIN_USAGE, run: async (given, args) => runOperator(await openParts(given), args) },
  },
});
