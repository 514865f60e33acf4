import { createListing, type Wanted } from '@tutoring/shared/database/listing';
import type { Reader } from '@tutoring/shared/database/open';
import { row } from '@tutoring/shared/database/sql';
import type { Call } from '../call/call.ts';
import type { CallState, CallType } from '../call/life-cycle.ts';

export interface CallFilter {
  state?: CallState | undefined;
  call_type?: CallType | undefined;
  user_id?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  filter_value?: string | undefined;
}

/** The conditions of the list as SQL, with the values of its parameters. */
function conditions(filter: CallFilter): Wanted {
  const values: unknown[] = [];
  const parts: string[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  if (filter.state !== undefined) parts.push(`state = ${value(filter.state)}`);
  if (filter.call_type !== undefined) parts.push(`call_type = ${value(filter.call_type)}`);
  if (filter.from !== undefined) parts.push(`created_at >= ${value(filter.from)}::date`);
  if (filter.to !== undefined) parts.push(`created_at < ${value(filter.to)}::date + 1`);
  if (filter.user_id !== undefined) {
    const user = value(filter.user_id);
    parts.push(`(student_id = ${user} or teacher_id = ${user})`);
  }
  if (filter.filter_value !== undefined) {
    const text = value(filter.filter_value);
    const named = `any(array(select id from user_copy
      where fold(name) like '%' || regexp_replace(fold(${text}), '([\\\\%_])', '\\\\\\1', 'g') || '%'))`;
    parts.push(`(identifier = ${text} or student_id = ${named} or teacher_id = ${named})`);
  }
  return {
    where: parts.length > 0 ? `where ${parts.join(' and ')}` : '',
    values,
    searches: filter.filter_value === undefined ? 'none' : 'all',
  };
}

/** Pages of all calls with their total number, newest first. */
export function createCallList() {
  const listing = createListing({ table: 'call', columns: '*' });
  return (reader: Reader, filter: CallFilter, window: { limit: number; offset: number }) =>
    listing<Call>(reader, conditions(filter), window);
}

export const findCallOfAnybody = (reader: Reader, identifier: string) =>
  row<Call>(reader, 'select * from call where identifier = $1', [identifier]);
