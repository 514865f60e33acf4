import type { z } from 'zod';
import { createListing, talliedConditions } from '@tutoring/shared/database/listing';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { insert, row } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { fits } from '../search-store.ts';
import type { auditFilter, AuditRow } from './audit.ts';

export const now = async (reader: Reader) => (await row<{ at: string }>(reader, 'select app_now() as at'))!.at;

export const insertAudit = (tx: Tx, { acted_at, before, after, ...entry }: EventData<'admin.acted'>) =>
  insert(tx, 'audit', {
    ...entry,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    created_at: acted_at,
  });

type AuditFilter = z.output<typeof auditFilter>;

const SEARCHED = { table: 'audit', text: "normalised(t.action || ' ' || t.subject || ' ' || t.admin_name)" };

/** Pages of the audit log with their total number, newest first. */
export const createAuditList = () =>
  createListing<AuditRow, AuditFilter>({
    table: 'audit',
    select: 'select id, admin_id, admin_name, action, subject, before, after, request_id, created_at from audit',
    key: 'id',
    wanted: async (filter, value, reader) => ({
      tallied: talliedConditions(filter, ['admin_id'], value),
      others: await fits(reader, filter, value, SEARCHED),
    }),
  });
