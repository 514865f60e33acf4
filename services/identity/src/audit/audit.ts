import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { day, id, timestamp } from '@tutoring/shared/http/fields';
import { pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/page';
import { route, type Route } from '@tutoring/shared/http/route';
import { countAudit, listAudit } from './audit-store.ts';

const facts = z.record(z.string(), z.unknown()).nullable();

export const auditRow = z
  .strictObject({
    id: z.int(),
    admin_id: z.int(),
    admin_name: z.string(),
    action: z.string(),
    subject: z.string(),
    before: facts,
    after: facts,
    request_id: z.string(),
    created_at: timestamp(),
  })
  .meta({ id: 'Audit' });
export type AuditRow = z.infer<typeof auditRow>;

export function auditRoutes({ database, publicUrl }: { database: Database; publicUrl: string }): Route[] {
  const path = '/api/admin/auditall';
  return [
    route({
      method: 'post',
      path,
      summary: 'Who changed what, in every service',
      description:
        'For super administrators. Paged, newest first: each change by an administrator with what was before and ' +
        'after. `from` and `to` are days, both included.',
      auth: 'su',
      body: z.object({ ...pageFields, admin_id: id().optional(), from: day().optional(), to: day().optional() }),
      response: pageOf(auditRow),
      handle: async ({ body }) => {
        const window = pageWindow(body);
        const filter = {
          filter: body.filter_value ?? null,
          adminId: body.admin_id ?? null,
          from: body.from ?? null,
          to: body.to ?? null,
        };
        const [items, total] = await Promise.all([
          listAudit(database.manager, filter, window),
          countAudit(database.manager, filter),
        ]);
        return paginate({ items, total, ...window, path: `${publicUrl}${path}` });
      },
    }),
  ];
}
