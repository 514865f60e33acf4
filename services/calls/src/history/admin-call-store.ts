import type { z } from 'zod';
import { createListing } from '@tutoring/shared/database/listing';
import { row, type Reader } from '@tutoring/shared/database/sql';
import type { Call } from '../call/call.ts';
import { ofEither } from '../copies/copy-store.ts';
import type { callFilter } from './call-row.ts';

type CallFilter = z.output<typeof callFilter>;

/** Pages of all calls with their total number, newest first. */
export const createCallList = () =>
  createListing<Call, CallFilter>({
    table: 'call',
    select: 'select * from call',
    key: 'id',
    tallied: ['state', 'call_type'],
    others: ofEither,
    search: {
      people: ['student_id', 'teacher_id'],
      texts: (given, value) => [`t.identifier = ${value(given)}`],
    },
  });

export const findCallOfAnybody = (reader: Reader, identifier: string) =>
  row<Call>(reader, 'select * from call where identifier = $1', [identifier]);
