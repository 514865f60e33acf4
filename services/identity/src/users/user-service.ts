import type { AdminCaller } from '@tutoring/shared/identity/auth';
import type { Database } from '@tutoring/shared/database/open';
import { invalidField } from '@tutoring/shared/http/read/validation';
import { recordAction } from '../audit/audit-service.ts';
import { numberKey, userKey } from '../credentials/credential-service.ts';
import { forgive } from '../credentials/lockout-store.ts';
import { found } from '../errors.ts';
import { texts } from '../texts.ts';
import type { Tokens } from '../tokens/token-service.ts';
import type { People } from './person-service.ts';
import { addressesOf, type Standing } from './user.ts';
import { lockLogin, takeStale, updateAccount } from './user-store.ts';

const STALE_BATCH = 200;

export function createUsers({ database, tokens, people }: { database: Database; tokens: Tokens; people: People }) {
  return {
    /** Sets the status and the verification. A ban ends every session; `active` also ends a lock-out. */
    async setStanding(caller: AdminCaller, id: number, standing: Standing) {
      await database.transact(async (tx) => {
        const before = found(await lockLogin(tx, id));
        if (standing.verified !== undefined && before.platform !== 'teacher')
          throw invalidField('verified', texts.onlyTeachers);
        if (standing.status === 'active') await forgive(tx, [numberKey(id), ...addressesOf(before).map(userKey)]);
        const { status = before.status, verified = before.verified } = standing;
        if (status === before.status && verified === before.verified) return;
        await updateAccount(tx, id, { status, verified });
        await people.announce(tx, [id]);
        await recordAction(tx, caller, 'user.updated', `user:${id}`, {
          before: { status: before.status, verified: before.verified },
          after: { status, verified, ...(standing.reason !== undefined && { reason: standing.reason }) },
        });
        if (status === 'banned' && before.status !== 'banned') await tokens.revokeAll(tx, { kind: 'user', id });
      });
      return people.show(id);
    },

    /** Job: publishes `user.changed` for users with a renamed skill. */
    async publishStale(): Promise<void> {
      const batch = () =>
        database.transact(async (tx) => {
          const ids = await takeStale(tx, STALE_BATCH);
          if (ids.length > 0) await people.announce(tx, ids);
          return ids.length;
        });
      while ((await batch()) === STALE_BATCH);
    },
  };
}

export type Users = ReturnType<typeof createUsers>;
