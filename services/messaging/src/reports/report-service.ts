import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { assertThat, undefinedIfNotFound } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { sentences, type RuleViolation, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { reportNotFound, senderBarred } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { shareLiving } from '../people/person-store.ts';
import { findRoom } from '../rooms/room-store.ts';
import { showAdminReport, showReport, type NewReport, type ReportDecision } from './report.ts';
import { insertReport, lockReport, updateReport } from './report-store.ts';

/** Whether a room or call belongs to these people. */
const isOf = (pair: { student_id: number; teacher_id: number } | undefined, people: number[]) =>
  pair !== undefined && people.every((id) => id === pair.student_id || id === pair.teacher_id);

/** Errors by field: an unknown user to report, or a room or call that is not between the two. */
export async function brokenRules(
  { database, people, calls }: Parts,
  fields: ValidFields<NewReport>,
  reporterId: number,
): Promise<RuleViolation[]> {
  const { user_id: userId, room_uuid: roomUuid, identifier } = fields;
  const isKnown = async (id: number) => id !== reporterId && (await people.find([id])).has(id);
  const both = userId === undefined ? [reporterId] : [reporterId, userId];
  const findCall = (id: string) => calls.ask('call.read', { identifier: id }).catch(undefinedIfNotFound);
  const validity = {
    room_uuid: roomUuid === undefined || isOf(await findRoom(database.manager, roomUuid, reporterId), both),
    identifier: identifier === undefined || isOf(await findCall(identifier), both),
    user_id: userId === undefined || (await isKnown(userId)),
  };
  return Object.entries(validity).flatMap(([field, isValid]): RuleViolation[] =>
    isValid ? [] : [[[field], sentences.selected]],
  );
}

/** Stores the report and notifies the administrators. */
export async function createReport({ database, people }: Parts, caller: UserCaller, body: NewReport, once: Once) {
  const personOf = await people.load([caller.id, body.user_id]);
  return once(database, async (tx) => {
    assertThat((await shareLiving(tx, [caller.id])).has(caller.id), senderBarred);
    const stored = await insertReport(tx, caller.id, body);
    publish(tx, [{ to: 'admins', event: 'report.created', data: showAdminReport(stored, personOf) }]);
    return showReport(stored);
  });
}

/** Sets the status and, when given, the note. Throws not_found. */
export const decideReport = ({ database }: Parts, admin: AdminCaller, id: number, decision: ReportDecision) =>
  database.transact(async (tx) => {
    const before = await lockReport(tx, id);
    assertThat(before, reportNotFound);
    const { status, note = before.note } = decision;
    if (before.status === status && before.note === note) return before;
    const after = await updateReport(tx, id, { status, note });
    recordAdminAction(tx, admin, {
      action: 'report.updated',
      subject: `report:${id}`,
      before: { status: before.status, note: before.note },
      after: { status, note },
      at: after.updated_at,
    });
    return after;
  });
