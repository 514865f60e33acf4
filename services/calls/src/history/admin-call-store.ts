import type { z } from 'zod';
import { createListing, talliedConditions, type Value, type Wanted } from '@tutoring/shared/database/listing';
import { namedBy, ofPerson } from '@tutoring/shared/database/search';
import { row, type Reader } from '@tutoring/shared/database/sql';
import type { Call } from '../call/call.ts';
import { ofEither } from '../copies/copy-store.ts';
import type { callFilter } from './call-row.ts';

type CallFilter = z.output<typeof callFilter>;

async function wanted(filter: CallFilter, value: Value, reader: Reader): Promise<Wanted> {
  const tallied = talliedConditions(filter, ['state', 'call_type'], value);
  const others = ofEither(filter, value);
  const given = filter.filter_value;
  if (given === undefined) return { tallied, others };
  const named = await namedBy(reader, value, (own) => ofPerson(reader, given, own));
  const identifier = `t.identifier = ${value(given)}`;
  const found = (walks: boolean) => [
    ...others,
    `(${identifier} or ${named('t.student_id', walks)} or ${named('t.teacher_id', walks)})`,
  ];
  return { tallied, others: found(false), walked: found(true) };
}

/** Pages of all calls with their total number, newest first. */
export const createCallList = () =>
  createListing<Call, CallFilter>({ table: 'call', select: 'select * from call', key: 'id', wanted });

export const findCallOfAnybody = (reader: Reader, identifier: string) =>
  row<Call>(reader, 'select * from call where identifier = $1', [identifier]);
