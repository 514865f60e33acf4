import { createListing, type PageWindow } from '@tutoring/shared/kit/database/listing';
import { insert, requiredRow, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import type { Call } from '../call/call.ts';
import { participantConditions, idConditions, userColumnSql } from '../copies/copy-store.ts';
import { CHANGEABLE_DAYS, type ReviewInput, type Review, type ReviewFilter, type ReviewWithAuthor } from './review.ts';

/** The columns of a review, in the order of its fields in answers. */
const COLUMNS = `id, identifier, teacher_id, student_id, ${userColumnSql('student_id', 'name')} as student_name,
  rating, comment, reply, hidden, created_at, updated_at`;

/** Returns undefined when the call already has a review. */
export const insertReview = (tx: Tx, call: Call, { rating, comment = '' }: ReviewInput) => {
  const { id: call_id, identifier, student_id, teacher_id } = call;
  const review = { call_id, identifier, student_id, teacher_id, rating, comment };
  return insert<Review>(tx, 'review', review, `on conflict (call_id) do nothing returning ${COLUMNS}`);
};

/** The owner of a review; empty for administrators. */
export type Owner = Partial<Pick<Review, 'student_id' | 'teacher_id'>>;

export const lockReview = (tx: Tx, id: number, owner: Owner) =>
  row<Review & { isOld: boolean }>(
    tx,
    `select ${COLUMNS}, created_at < app_now() - make_interval(days => ${CHANGEABLE_DAYS}) as "isOld"
     from review where id = $1 and student_id = coalesce($2, student_id) and teacher_id = coalesce($3, teacher_id)
     for no key update`,
    [id, owner.student_id ?? null, owner.teacher_id ?? null],
  );

export const updateReview = (tx: Tx, { id, rating, comment, reply, hidden }: Review) =>
  requiredRow<Review>(
    tx,
    `update review set rating = $2, comment = $3, reply = $4, hidden = $5, updated_at = app_now() where id = $1
     returning ${COLUMNS}`,
    [id, rating, comment, reply, hidden],
  );

/** Adds to a teacher's rating and returns it. */
export const changeRating = (tx: Tx, teacherId: number, change: { reviews: number; stars: number }) =>
  requiredRow<EventData<'rating.changed'>>(
    tx,
    `insert into teacher_rating as t (teacher_id, reviews, stars, version) values ($1, $2, $3, 1)
     on conflict (teacher_id) do update set reviews = t.reviews + $2, stars = t.stars + $3, version = t.version + 1
     returning teacher_id, reviews, stars, version`,
    [teacherId, change.reviews, change.stars],
  );

/** Every teacher's rating, for `events resync`. */
export async function* allRatings(reader: Reader): AsyncIterable<EventData<'rating.changed'>> {
  yield* await rows<EventData<'rating.changed'>>(
    reader,
    'select teacher_id, reviews, stars, version from teacher_rating order by teacher_id',
  );
}

/** The reviews by a student, or of a teacher without the hidden ones, newest first. */
export const exportReviews = (reader: Reader, userId: number, page: { before: number | undefined; limit: number }) =>
  rows<Review>(
    reader,
    `select ${COLUMNS} from review where (student_id = $1 or teacher_id = $1 and not hidden)
       and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [userId, page.before ?? null, page.limit],
  );

/** A page of a teacher's visible reviews, with their total number. */
export async function listReviewsOf(reader: Reader, teacherId: number, { limit, offset, order }: PageWindow) {
  const [counted, items] = await Promise.all([
    row<{ reviews: number }>(reader, 'select reviews from teacher_rating where teacher_id = $1', [teacherId]),
    rows<ReviewWithAuthor>(
      reader,
      `select ${COLUMNS}, exists (select from user_copy u where u.id = student_id and u.deleted) as "isStudentGone"
       from review where teacher_id = $1 and not hidden order by id ${order} limit $2 offset $3`,
      [teacherId, limit, offset],
    ),
  ]);
  return { total: counted?.reviews ?? 0, items };
}

/** Pages of all reviews with their total number, newest first. */
export const createReviewList = () =>
  createListing<Review, ReviewFilter>({
    table: 'review',
    select: `select ${COLUMNS} from review`,
    key: 'id',
    tallied: ['hidden', 'rating'],
    others: participantConditions,
    search: {
      people: ['student_id', 'teacher_id'],
      texts: (given, value) => [
        `strpos(fold(t.comment || ' ' || t.reply || ' ' || t.identifier), fold(${value(given)})) > 0`,
        ...idConditions(given, value),
      ],
    },
  });
