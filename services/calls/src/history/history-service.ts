import { fieldsOf } from '@tutoring/shared/http/declare/fields';
import { endOf, type Call } from '../call/call.ts';
import { findRefunds } from '../copies/copy-store.ts';
import type { Parts } from '../parts.ts';
import { callRow, type CallRow } from './call-row.ts';
import { findLowBalances } from './history-store.ts';
import { receiptOf, type Receipt } from './receipt.ts';
import { detailOf, type CallDetail } from './timeline.ts';

/** Calls with data from other services: people's names and photos, and the money from wallet's ledger. */
export function createHistory({ database, people, wallet }: Parts) {
  async function rowsOf(calls: Call[]): Promise<CallRow[]> {
    const ids = calls.flatMap(({ student_id, teacher_id }) => [student_id, teacher_id]);
    const identifiers = calls.map(({ identifier }) => identifier);
    const [faceOf, refunds] = await Promise.all([people.faces(ids), findRefunds(database.manager, identifiers)]);
    const refunded = new Map(refunds.map((one) => [one.identifier, one.refunded]));
    return calls.map((call) => {
      const [student, teacher] = [faceOf(call.student_id), faceOf(call.teacher_id)];
      return fieldsOf(callRow, {
        ...call,
        student_name: student.name,
        teacher_name: teacher.name,
        student_photo: student.photo,
        teacher_photo: teacher.photo,
        refunded: refunded.get(call.identifier) ?? 0,
        ended_by: call.ended_by && endOf(call.ended_by),
      });
    });
  }

  const rowOf = async (call: Call) => (await rowsOf([call]))[0] as CallRow;

  return {
    rowsOf,
    rowOf,

    /** Throws unavailable when wallet does not answer: only its ledger knows what was charged. */
    async receiptFor(callerId: number, call: Call): Promise<Receipt> {
      const [row, ledger] = await Promise.all([rowOf(call), wallet.ledger(call.identifier)]);
      return receiptOf(call, { row, ledger, isTeacher: callerId === call.teacher_id });
    },

    /** Throws unavailable when wallet does not answer. */
    async detailFor(call: Call): Promise<CallDetail> {
      const [row, ledger, lowBalances] = await Promise.all([
        rowOf(call),
        wallet.ledger(call.identifier),
        findLowBalances(database.manager, call.id),
      ]);
      return detailOf(call, { row, ledger, lowBalances });
    },
  };
}
