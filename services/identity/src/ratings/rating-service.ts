import type { Tx } from '@tutoring/shared/kit/database/open';
import type { EventData } from '@tutoring/shared/contract/events';
import { moreIf } from '@tutoring/shared/kit/jobs';
import type { Parts } from '../parts.ts';
import { raiseDirectoryVersion, lockAccounts } from '../users/user-store.ts';
import { gainOf, meanOf, type Prior } from './rating.ts';
import { findPrior, ratingsOf, saveRanks, saveRatings, lockOutdatedRanks } from './rating-store.ts';

const BATCH = 500;

/** Computes rating and sort key of the teachers. */
async function rank(tx: Tx, teacherIds: number[], prior: Prior & { version: number }): Promise<void> {
  await lockAccounts(tx, teacherIds);
  const ratings = await ratingsOf(tx, teacherIds);
  const ranks = ratings.map((rating) => ({ ...rating, rating: meanOf(rating), gain: gainOf(rating, prior) }));
  await saveRanks(tx, ranks, prior.version);
  await raiseDirectoryVersion(tx, teacherIds);
}

/** Stores and ranks the ratings of different teachers, given in ascending order of their ids. */
export async function applyRatings(tx: Tx, ratings: EventData<'rating.changed'>[]): Promise<void> {
  await saveRatings(tx, ratings);
  const teacherIds = ratings.map((rating) => rating.teacher_id);
  await rank(tx, teacherIds, await findPrior(tx));
}

/** Job: ranks teachers again who were ranked with an older prior. */
export const rerank = ({ database }: Parts) =>
  database.transact(async (tx) => {
    const prior = await findPrior(tx);
    const teacherIds = await lockOutdatedRanks(tx, prior.version, BATCH);
    if (teacherIds.length > 0) await rank(tx, teacherIds, prior);
    return moreIf(teacherIds.length === BATCH);
  });
