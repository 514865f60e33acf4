import { z } from 'zod';
import { adminReport } from '@tutoring/shared/contract/report';
import { pickFields, id, text, uuid } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import type { Person } from '../people/person.ts';

/** A report as it is stored. */
export interface Report extends Omit<z.infer<typeof adminReport>, 'reporter' | 'user'> {
  reporter_id: number;
}

const { reporter: _reporter, user: _user, note: _note, ...ofReporter } = adminReport.shape;
/** A report as shown to its reporter. */
export const report = z.strictObject(ofReporter).meta({ id: 'Report' });
export { adminReport };

const reportStatus = adminReport.shape.status;

const MAX_TEXT = 2_000;

export const newReport = z.object({
  user_id: id().meta({ example: 7 }),
  reason: adminReport.shape.reason,
  details: text(MAX_TEXT).optional().meta({ example: 'He asked me to pay outside of the app.' }),
  room_uuid: uuid().optional().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
  identifier: uuid().optional().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
});
export type NewReport = z.output<typeof newReport>;

export const reportDecision = z.object({
  status: reportStatus,
  note: text(MAX_TEXT).optional().meta({ example: 'Warned by mail.' }),
});
export type ReportDecision = z.output<typeof reportDecision>;

/** Which reports an administrator lists. */
export const reportFilter = z.object({
  ...pageFields,
  status: reportStatus.optional(),
  user_id: id().optional().meta({ example: 7 }),
  ...dayFields,
});
export type ReportFilter = z.output<typeof reportFilter>;

export const showReport = (stored: Report) => pickFields(report, stored);

/** A report as shown to administrators. */
export function showAdminReport(stored: Report, personOf: (id: number) => Person) {
  const named = (personId: number) => ({ id: personId, name: personOf(personId).name });
  return pickFields(adminReport, { ...stored, reporter: named(stored.reporter_id), user: named(stored.user_id) });
}
