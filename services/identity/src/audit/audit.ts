import { z } from 'zod';
import { id, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';

export const auditFilter = z.object({
  ...pageFields,
  admin_id: id().optional().meta({ example: 1 }),
  action: text().optional().meta({ example: 'withdrawal.updated' }),
  subject: text().optional().meta({ example: 'withdrawal:12' }),
  ...dayFields,
});

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
