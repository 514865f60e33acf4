import type { Database } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { forgetCalls } from './calls/call-store.ts';
import { forgetDeadDevices } from './push/push-store.ts';

/** Deletes what is no longer needed. */
export const upkeepJob = (database: Database): Job => ({
  name: 'upkeep',
  purpose: 'deletes old calls and dead devices',
  everyMs: 30_000,
  run: async () => {
    const left = [await database.autocommit(forgetCalls), await database.autocommit(forgetDeadDevices)];
    return moreIf(left.includes(true));
  },
});
