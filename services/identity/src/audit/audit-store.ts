import type { z } from 'zod';
import { createListing } from '@tutoring/shared/database/listing';
import { rows, value, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { fits } from '../search-store.ts';
import type { auditFilter, AuditRow } from './audit.ts';

export const now = (reader: Reader) => value<string>(reader, 'select app_now() as at');

const INSERT_AUDIT = `insert into audit (admin_id, admin_name, action, subject, before, after, request_id, created_at)
  select admin_id, admin_name, action, subject, before, after, request_id, created_at
  from jsonb_populate_record(null::audit, $1::jsonb)`;

export const insertAudit = (tx: Tx, entry: EventData<'admin.acted'>) =>
  rows(tx, INSERT_AUDIT, [JSON.stringify({ ...entry, created_at: entry.acted_at })]);

type AuditFilter = z.output<typeof auditFilter>;

const SEARCHED = { table: 'audit', text: "normalised(t.action || ' ' || t.subject || ' ' || t.admin_name)" };

/** Pages of the audit log with their total number, newest first. */
export const createAuditList = () =>
  createListing<AuditRow, AuditFilter>({
    table: 'audit',
    select: 'select id, admin_id, admin_name, action, subject, before, after, request_id, created_at from audit',
    key: 'id',
    tallied: ['admin_id'],
    others: (filter, value, reader) => fits(reader, filter, value, SEARCHED),
  });
