import { saveNewerSet } from '@tutoring/shared/database/copies';
import { column, one, rows, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { Prior, Rating } from './rating.ts';

const SAVE_RATINGS = saveNewerSet('rating_copy', ['teacher_id'], ['teacher_id', 'reviews', 'stars', 'version']);

/** Stores the numbers of different teachers from calls; older versions are ignored. */
export const saveRatings = (tx: Tx, ratings: (Rating & { version: number })[]) =>
  rows(tx, SAVE_RATINGS, [JSON.stringify(ratings)]);

/** The prior of the setting, and its version, which grows with every change. */
export const findPrior = (reader: Reader) =>
  one<Prior & { version: number }>(
    reader,
    `select value as reviews, version from setting where name = 'rating_prior_reviews'`,
  );

export const ratingsOf = (reader: Reader, teacherIds: number[]) =>
  rows<Rating>(
    reader,
    'select teacher_id, reviews, stars from rating_copy where teacher_id = any($1::bigint[]) order by teacher_id',
    [teacherIds],
  );

/** Takes up to `limit` teachers whose place was computed with an older prior, locked. */
export const takeOutranked = (tx: Tx, version: number, limit: number) =>
  column<number>(
    tx,
    'select teacher_id from rating_copy where ranked_by < $1 order by ranked_by, teacher_id limit $2 for update skip locked',
    [version, limit],
  );

/** Stores what the list of teachers shows and sorts by. */
export async function saveRanks(
  tx: Tx,
  ranks: { id: number; rating: number | null; gain: number }[],
  version: number,
): Promise<void> {
  await rows(
    tx,
    `update account a set rating = r.rating, rating_gain = r.gain
     from jsonb_to_recordset($1::jsonb) as r(id bigint, rating numeric, gain float8) where a.id = r.id`,
    [JSON.stringify(ranks)],
  );
  await rows(tx, 'update rating_copy set ranked_by = $2 where teacher_id = any($1::bigint[])', [
    ranks.map(({ id }) => id),
    version,
  ]);
}
