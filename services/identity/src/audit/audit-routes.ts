import type { Database } from '@tutoring/shared/database/open';
import { pageOf, pageWindow, paginate } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { auditFilter, auditRow } from './audit.ts';
import { createAuditList } from './audit-store.ts';

export function auditRoutes({ database, publicUrl }: { database: Database; publicUrl: string }): Route[] {
  const path = '/api/admin/auditall';
  const listAudit = createAuditList();
  return [
    route({
      method: 'post',
      path,
      summary: 'Who changed what, in every service',
      description:
        'For super administrators. Paged, newest first: each change by an administrator with what was before and ' +
        'after. `from` and `to` are days, both included.',
      auth: 'su',
      body: auditFilter,
      response: pageOf(auditRow),
      handle: async ({ body }) => {
        const window = pageWindow(body);
        const { items, total } = await listAudit(database.manager, body, window);
        return paginate({ items, total, ...window, path: `${publicUrl}${path}` });
      },
    }),
  ];
}
