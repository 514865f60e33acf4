import type { Database } from '@tutoring/shared/database/open';
import { listRoute } from '@tutoring/shared/http/declare/page';
import type { Route } from '@tutoring/shared/http/declare/route';
import { auditFilter, auditRow } from './audit.ts';
import { createAuditList } from './audit-store.ts';

export function auditRoutes({ database, publicUrl }: { database: Database; publicUrl: string }): Route[] {
  const listAudit = createAuditList();
  return [
    listRoute('post /api/admin/auditall', {
      summary: 'Who changed what, in every service',
      description:
        'For super administrators. Paged, newest first: each change by an administrator with what was before and ' +
        'after. `filter_value` looks into all of an entry, and for the person whom it is about; `action` and `subject` ' +
        'take one (`user.updated`, `user:12`) or all of a kind (`user`); `from` and `to` are days, both included.',
      auth: 'su',
      body: auditFilter,
      item: auditRow,
      publicUrl,
      list: (filter, window) => listAudit(database.standby.manager, filter, window),
    }),
  ];
}
