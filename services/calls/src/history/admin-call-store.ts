import type { z } from 'zod';
import { createListing, talliedConditions, type Wanted, type Window } from '@tutoring/shared/database/listing';
import { namedBy, ofPerson } from '@tutoring/shared/database/search';
import type { Reader } from '@tutoring/shared/database/open';
import { row } from '@tutoring/shared/database/sql';
import type { Call } from '../call/call.ts';
import type { callFilter } from './call-row.ts';

type CallFilter = z.output<typeof callFilter>;

/** The conditions of the list as SQL, with the values of its parameters. */
async function conditions(reader: Reader, filter: CallFilter): Promise<Wanted> {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const tallied = talliedConditions(filter, ['state', 'call_type'], value);
  const others: string[] = [];
  if (filter.user_id !== undefined) {
    const user = value(filter.user_id);
    others.push(`(t.student_id = ${user} or t.teacher_id = ${user})`);
  }
  const given = filter.filter_value;
  if (given === undefined) return { tallied, others, values };
  const named = await namedBy(reader, value, (own) => ofPerson(reader, given, own));
  const identifier = `t.identifier = ${value(given)}`;
  const found = (walks: boolean) => [
    ...others,
    `(${identifier} or ${named('t.student_id', walks)} or ${named('t.teacher_id', walks)})`,
  ];
  return { tallied, others: found(false), walked: found(true), values };
}

/** Pages of all calls with their total number, newest first. */
export function createCallList() {
  const listing = createListing({ table: 'call', select: 'select * from call', key: 'id' });
  return (reader: Reader, filter: CallFilter, window: Window) =>
    listing<Call>(
      reader,
      { wanted: () => conditions(reader, filter), searches: filter.filter_value === undefined ? 'none' : 'all' },
      window,
    );
}

export const findCallOfAnybody = (reader: Reader, identifier: string) =>
  row<Call>(reader, 'select * from call where identifier = $1', [identifier]);
