import type { Database } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { closeDays } from './stats-store.ts';

/** Keeps the figures of days fast, however many years there are. */
export const closeDaysJob = (database: Database): Job => ({
  name: 'close-days',
  everyMs: 60_000,
  run: async () => moreIf(await database.autocommit((tx) => closeDays(tx))),
});
