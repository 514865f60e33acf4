import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { column, requiredRow, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Prior, Rating } from './rating.ts';

const SAVE_RATINGS = upsertNewerSql('rating_copy', ['teacher_id'], ['teacher_id', 'reviews', 'stars', 'version']);

/** Stores ratings of different teachers from calls; ignores older versions. */
export const saveRatings = (tx: Tx, ratings: (Rating & { version: number })[]) =>
  rows(tx, SAVE_RATINGS, [JSON.stringify(ratings)]);

const FIND_PRIOR = `select value as reviews, version from setting where name = 'rating_prior_reviews'`;

/** The prior from the setting, with the setting's version. */
export const findPrior = (reader: Reader) => requiredRow<Prior & { version: number }>(reader, FIND_PRIOR);

const RATINGS_OF =
  'select teacher_id, reviews, stars from rating_copy where teacher_id = any($1::bigint[]) order by teacher_id';

export const ratingsOf = (reader: Reader, teacherIds: number[]) => rows<Rating>(reader, RATINGS_OF, [teacherIds]);

const LOCK_OUTDATED_RANKS = `select teacher_id from rating_copy where ranked_by < $1
  order by ranked_by, teacher_id limit $2 for update skip locked`;

/** Locks up to `limit` teachers who were ranked with an older prior. */
export const lockOutdatedRanks = (tx: Tx, version: number, limit: number) =>
  column<number>(tx, LOCK_OUTDATED_RANKS, [version, limit]);

type Rank = { teacher_id: number; rating: number | null; gain: number };

const SAVE_RANKS = `with ranks as (
    select * from jsonb_to_recordset($1::jsonb) as r(teacher_id bigint, rating numeric, gain float8)),
  shown as (
    update account a set rating = r.rating, rating_gain = r.gain from ranks r where a.id = r.teacher_id)
  update rating_copy set ranked_by = $2 where teacher_id in (select teacher_id from ranks)`;

/** Stores the rating that lists show, and the gain that they sort by. */
export const saveRanks = (tx: Tx, ranks: Rank[], version: number) =>
  rows(tx, SAVE_RANKS, [JSON.stringify(ranks), version]);
