import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import type { Window } from '@tutoring/shared/database/listing';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat, undefinedIfNotFound } from '@tutoring/shared/errors';
import { recordAdminAction } from '@tutoring/shared/events/publish/admin-action';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { sentences, type RuleViolation, type ValidFields } from '@tutoring/shared/http/read/validation';
import type { InternalClient } from '@tutoring/shared/internal/client';
import { reportNotFound, senderBarred } from '../errors.ts';
import type { People } from '../people/person-service.ts';
import { shareLiving } from '../people/person-store.ts';
import { findRoom } from '../rooms/room-store.ts';
import {
  showAdminReport,
  showReport,
  type NewReport,
  type Report,
  type ReportDecision,
  type ReportFilter,
} from './report.ts';
import { createReportList, findReport, insertReport, lockReport, updateReport } from './report-store.ts';

interface Pair {
  student_id: number;
  teacher_id: number;
}

export function createReports(deps: { database: Database; people: People; calls: InternalClient<'calls'> }) {
  const { database, people, calls } = deps;
  const listReports = createReportList();

  /** Whether a room or call belongs to the reporter and, when `userId` is given, to the reported user. */
  const isBetween = (pair: Pair | undefined, reporterId: number, userId: number | undefined) =>
    pair !== undefined &&
    [reporterId, userId ?? reporterId].every((id) => id === pair.student_id || id === pair.teacher_id);

  const isAboutSomebody = async (reporterId: number, userId: number) =>
    userId !== reporterId && (await people.find([userId])).has(userId);

  const shown = async (report: Report) =>
    showAdminReport(report, await people.load([report.reporter_id, report.user_id]));

  return {
    /** Errors by field: an unknown user to report, or a room or call that is not between the two. */
    async brokenRules(given: ValidFields<NewReport>, reporterId: number): Promise<RuleViolation[]> {
      const { user_id: userId, room_uuid: roomUuid, identifier } = given;
      const room = roomUuid && (await findRoom(database.manager, roomUuid, reporterId));
      const call = identifier && (await calls.ask('call.read', { identifier }).catch(undefinedIfNotFound));
      const sound = {
        user_id: userId === undefined || (await isAboutSomebody(reporterId, userId)),
        room_uuid: roomUuid === undefined || isBetween(room || undefined, reporterId, userId),
        identifier: identifier === undefined || isBetween(call || undefined, reporterId, userId),
      };
      return Object.entries(sound).flatMap(([field, isValid]): RuleViolation[] =>
        isValid ? [] : [[[field], sentences.selected]],
      );
    },

    /** Stores the report and notifies the administrators. Repeated with the same key, it returns the first response. */
    async create(caller: UserCaller, body: NewReport, key: string | undefined) {
      const personOf = await people.load([caller.id, body.user_id]);
      return database.transact((tx) =>
        once(tx, { caller, scope: 'POST /api/reports', key, body }, async () => {
          assertThat((await shareLiving(tx, [caller.id])).has(caller.id), senderBarred);
          const stored = await insertReport(tx, caller.id, body);
          await publishInOrder(tx, [
            { to: 'admins', event: 'report.created', data: showAdminReport(stored, personOf) },
          ]);
          return showReport(stored);
        }),
      );
    },

    list: (filter: ReportFilter, window: Window) => listReports(database.standby.manager, filter, window),

    /** As administrators see it. Throws not_found. */
    async show(id: number) {
      const found = await findReport(database.manager, id);
      assertThat(found, reportNotFound);
      return shown(found);
    },

    /** Sets the status and, when given, the note. Throws not_found. */
    async decide(admin: AdminCaller, id: number, { status, note: given }: ReportDecision) {
      const decided = await database.transact(async (tx) => {
        const before = await lockReport(tx, id);
        assertThat(before, reportNotFound);
        const note = given ?? before.note;
        if (before.status === status && before.note === note) return before;
        const after = await updateReport(tx, id, { status, note });
        await recordAdminAction(tx, admin, {
          action: 'report.updated',
          subject: `report:${id}`,
          before: { status: before.status, note: before.note },
          after: { status, note },
          at: after.updated_at,
        });
        return after;
      });
      return shown(decided);
    },
  };
}

export type Reports = ReturnType<typeof createReports>;
