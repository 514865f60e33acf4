import type { z } from 'zod';
import { createListing, talliedConditions, type Wanted, type Window } from '@tutoring/shared/database/listing';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { fits } from '../search-store.ts';
import type { auditFilter, AuditRow } from './audit.ts';

export const now = async (reader: Reader) => (await row<{ at: string }>(reader, 'select app_now() as at'))!.at;

export const insertAudit = (tx: Tx, entry: EventData<'admin.acted'>) =>
  rows(
    tx,
    `insert into audit (admin_id, admin_name, action, subject, before, after, request_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.admin_id,
      entry.admin_name,
      entry.action,
      entry.subject,
      entry.before && JSON.stringify(entry.before),
      entry.after && JSON.stringify(entry.after),
      entry.request_id,
      entry.acted_at,
    ],
  );

type AuditFilter = z.output<typeof auditFilter>;

const SEARCHED = { table: 'audit', text: "normalised(t.action || ' ' || t.subject || ' ' || t.admin_name)" };

/** The conditions of the list as SQL, with the values of its parameters. */
async function conditions(reader: Reader, filter: AuditFilter): Promise<Wanted> {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const given = filter.filter_value;
  const others = given === undefined ? [] : [await fits(reader, given, value, SEARCHED)];
  return { tallied: talliedConditions(filter, ['admin_id'], value), others, values };
}

const AUDIT = 'select id, admin_id, admin_name, action, subject, before, after, request_id, created_at from audit';

/** Pages of the audit log with their total number, newest first. */
export function createAuditList() {
  const listing = createListing({ table: 'audit', select: AUDIT, key: 'id' });
  return (reader: Reader, filter: AuditFilter, window: Window) =>
    listing<AuditRow>(
      reader,
      { wanted: () => conditions(reader, filter), searches: filter.filter_value === undefined ? 'none' : 'all' },
      window,
    );
}
