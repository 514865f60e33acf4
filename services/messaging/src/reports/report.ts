import { z } from 'zod';
import { adminReport } from '@tutoring/shared/events/live';
import { id, text, uuid } from '@tutoring/shared/http/declare/fields';
import type { Person } from '../people/person.ts';

/** A report as it is stored. */
export interface Report {
  id: number;
  reporter_id: number;
  /** The reported user. */
  user_id: number;
  reason: z.infer<typeof adminReport>['reason'];
  details: string;
  room_uuid: string | null;
  identifier: string | null;
  status: ReportStatus;
  /** For administrators only. */
  note: string;
  created_at: string;
  updated_at: string;
}

const { reporter: _reporter, user: _user, note: _note, ...ofReporter } = adminReport.shape;
/** A report as shown to its reporter. */
export const report = z.strictObject(ofReporter).meta({ id: 'Report' });
export { adminReport };

export const reportStatus = adminReport.shape.status;
type ReportStatus = z.infer<typeof reportStatus>;

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

export const showReport = (stored: Report): z.infer<typeof report> => ({
  id: stored.id,
  user_id: stored.user_id,
  reason: stored.reason,
  details: stored.details,
  room_uuid: stored.room_uuid,
  identifier: stored.identifier,
  status: stored.status,
  created_at: stored.created_at,
  updated_at: stored.updated_at,
});

/** A report as shown to administrators. */
export function showAdminReport(stored: Report, personOf: (id: number) => Person): z.infer<typeof adminReport> {
  const named = (personId: number) => ({ id: personId, name: personOf(personId).name });
  const [reporter, user] = [named(stored.reporter_id), named(stored.user_id)];
  return { ...showReport(stored), reporter, user, note: stored.note };
}
