import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { day, id, timestamp } from '@tutoring/shared/http/fields';
import { pageFields, pageOf, pageWindow, paginate } from '@tutoring/shared/http/page';
import { route, type Route } from '@tutoring/shared/http/route';
import { countAudit, listAudit } from './audit-store.ts';

const facts = (status: string) => z.record(z.string(), z.unknown()).nullable().meta({ example: { status } });

export const auditRow = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    admin_id: z.int().meta({ example: 1 }),
    admin_name: z.string().meta({ example: 'Ada Mensah' }),
    action: z.string().meta({ example: 'withdrawal.updated' }),
    subject: z.string().meta({ example: 'withdrawal:12' }),
    before: facts('pending'),
    after: facts('success'),
    request_id: z.string().meta({ example: '5e1c3a0e-2f52-4c7b-9b1e-8a6a4c0d2f77' }),
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
      body: z.object({
        ...pageFields,
        admin_id: id().optional().meta({ example: 1 }),
        from: day().optional().meta({ example: '2026-11-01' }),
        to: day().optional().meta({ example: '2026-11-30' }),
      }),
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
