import type { Database } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { closeDays } from './stats-store.ts';

/** Stores the figures of past days, so that reading them stays fast with years of calls. */
export const closeDaysJob = (database: Database): Job => ({
  name: 'close-days',
  everyMs: 60_000,
  run: async () => moreIf(await database.autocommit((tx) => closeDays(tx))),
});
