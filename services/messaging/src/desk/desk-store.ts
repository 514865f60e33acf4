import { rows, value, type Reader } from '@tutoring/shared/kit/database/sql';
import type { CaseLine } from './desk-case.ts';

/** Most lines of a timeline in one answer. */
const MAX_LINES = 1_000;

/** The newest lines of a case's timeline, oldest first. */
export const listLines = (reader: Reader, caseId: number) =>
  rows<CaseLine>(
    reader,
    `select event, by_id, was, becomes, at from (
       select * from support_case_event where case_id = $1 order by id desc limit $2) e order by id`,
    [caseId, MAX_LINES],
  );

/** Whether the time, in milliseconds since 1970, is in the future and at most a year away. */
export const isWithinYear = (reader: Reader, ms: number) =>
  value<boolean>(
    reader,
    `select at > app_now() and at <= app_now() + interval '1 year' from to_timestamp($1::float8 / 1000) at`,
    [ms],
  );
