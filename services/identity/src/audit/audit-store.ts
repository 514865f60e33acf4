import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { AuditRow } from './audit.ts';

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

const FILTER = `($1::text is null or normalised(action || ' ' || subject || ' ' || admin_name) like '%' || nullif(normalised($1), '') || '%'
    or id::text = $1) and ($2::bigint is null or admin_id = $2)
  and ($3::date is null or created_at >= $3::date) and ($4::date is null or created_at < $4::date + 1)`;

export interface AuditFilter {
  filter: string | null;
  adminId: number | null;
  from: string | null;
  to: string | null;
}

const values = (filter: AuditFilter) => [filter.filter, filter.adminId, filter.from, filter.to];

export const listAudit = (reader: Reader, filter: AuditFilter, window: { limit: number; offset: number }) =>
  rows<AuditRow>(
    reader,
    `select id, admin_id, admin_name, action, subject, before, after, request_id, created_at from audit
     where ${FILTER} order by id desc limit $5 offset $6`,
    [...values(filter), window.limit, window.offset],
  );

export const countAudit = async (reader: Reader, filter: AuditFilter) =>
  (await row<{ total: number }>(reader, `select count(*) as total from audit where ${FILTER}`, values(filter)))!.total;
