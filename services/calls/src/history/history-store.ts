import type { z } from 'zod';
import { createListing } from '@tutoring/shared/kit/database/listing';
import { inPages } from '@tutoring/shared/kit/database/pages';
import type { EventInput } from '@tutoring/shared/contract/events';
import { column, requiredRow, rows, value, type Reader } from '@tutoring/shared/kit/database/sql';
import type { Call } from '../call/call.ts';
import { callEvent } from '../call/call-service.ts';
import { participantConditions, userColumnSql } from '../copies/copy-store.ts';
import type { callFilter, DetailedCall } from './history.ts';

/** SQL: a call `c` with the names and photos of its participants, and its refunds. */
const SELECT_DETAILED = `
  select c.*, ${userColumnSql('student_id', 'name')} as student_name, ${userColumnSql('teacher_id', 'name')} as teacher_name,
    ${userColumnSql('student_id', 'photo')} as student_photo, ${userColumnSql('teacher_id', 'photo')} as teacher_photo,
    coalesce((select refunded from refunds_copy r where r.identifier = c.identifier), 0) as refunded`;

/** A user's calls, newest first; only those older than the call with the id `before`. */
export const listCalls = (reader: Reader, userId: number, options: { before: number | undefined; limit: number }) =>
  rows<DetailedCall>(
    reader,
    `${SELECT_DETAILED} from (
       (select * from call where student_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3)
       union all
       (select * from call where teacher_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3)
     ) as c order by id desc limit $3`,
    [userId, options.before ?? null, options.limit],
  );

/** Every call, for `events resync`. */
export async function* callSnapshots(reader: Reader): AsyncIterable<EventInput<'call.changed'>> {
  const sql = 'select * from call where id > $1 order by id limit $2';
  for await (const call of inPages<Call>(reader, sql, 'id', 0)) yield callEvent(call);
}

/** The times of a call's low-balance warnings, oldest first. */
export const findLowBalances = (reader: Reader, callId: number) =>
  column<string>(reader, 'select at from low_balance where call_id = $1 order by at', [callId]);

type CallFilter = z.output<typeof callFilter>;

/** Pages of all calls with their total number, newest first. */
export const createCallList = () =>
  createListing<DetailedCall, CallFilter>({
    table: 'call',
    select: `${SELECT_DETAILED} from call c`,
    key: 'c.id',
    tallied: ['state', 'call_type'],
    others: participantConditions,
    search: {
      people: ['student_id', 'teacher_id'],
      texts: (given, value) => [`t.identifier = lower(${value(given)})`],
    },
  });

/**
 * A call; with `userId` only one of this participant. Reads the id first, so that a request for an unknown call reads
 * no other table.
 */
export async function findDetailedCall(reader: Reader, identifier: string, userId?: number) {
  const where = 'identifier = $1 and ($2::bigint is null or $2 in (student_id, teacher_id))';
  const id = await value<number | undefined>(reader, `select id from call where ${where}`, [
    identifier,
    userId ?? null,
  ]);
  return id === undefined
    ? undefined
    : requiredRow<DetailedCall>(reader, `${SELECT_DETAILED} from call c where id = $1`, [id]);
}
