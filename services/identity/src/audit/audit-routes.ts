import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { day, id } from '@tutoring/shared/http/declare/fields';
import { pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { auditRow } from './audit.ts';
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
      body: z.object({
        ...pageFields,
        admin_id: id().optional().meta({ example: 1 }),
        from: day().optional().meta({ example: '2026-11-01' }),
        to: day().optional().meta({ example: '2026-11-30' }),
      }),
      response: pageOf(auditRow),
      handle: async ({ body }) => {
        const window = pageWindow(body);
        const { items, total } = await listAudit(database.manager, body, window);
        return paginate({ items, total, ...window, path: `${publicUrl}${path}` });
      },
    }),
  ];
}
