import { listRoute } from '@tutoring/shared/kit/http/declare/page';
import type { Route } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import { auditFilter, auditRow } from './audit.ts';
import { createAuditList } from './audit-store.ts';

export function auditRoutes({ database, publicUrl }: Parts): Route[] {
  const listAudit = createAuditList();
  return [
    listRoute('post /api/admin/auditall', {
      summary: 'Audit log of all services',
      description:
        'For super administrators. Paged, newest first: each change by an administrator with the values before and ' +
        'after it. `filter_value` searches the whole entry and the person that it is about; `action` and `subject` ' +
        'take an exact value (`user.updated`, `user:12`) or a kind (`user`); `from` and `to` are days, both included.',
      auth: 'su',
      body: auditFilter,
      item: auditRow,
      publicUrl,
      list: (filter, window) => listAudit(database.standby.manager, filter, window),
    }),
  ];
}
