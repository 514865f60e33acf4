import type { z } from 'zod';
import { assertThat, type AppError } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish, type Outgoing } from '@tutoring/shared/contract/publish';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Database, Tx } from '@tutoring/shared/kit/database/open';
import { decidedMeanwhile, notYours } from '../errors.ts';
import {
  changesNothing,
  type Change,
  type Decision,
  type listBody,
  type RecordRow,
  type ShownRecord,
} from './record.ts';
import type { RecordStore } from './record-store.ts';

/** Deposits or withdrawals. `show` and `schema` are for owners, `showToAdmin` and `adminSchema` for administrators. */
export interface Kind<Row extends RecordRow> {
  noun: 'deposit' | 'withdrawal';
  notFound: () => AppError;
  store: RecordStore<Row>;
  show: (row: Row) => ShownRecord;
  schema: z.ZodType;
  showToAdmin?: (row: Row) => ShownRecord;
  adminSchema?: z.ZodType;
  /** The filter of the administrators' list. */
  listBody?: typeof listBody;
}

/** Publishes the new states of records and copies them to their payment rows. */
export async function publishRecords<Row extends RecordRow>(tx: Tx, { noun, store }: Kind<Row>, records: Row[]) {
  await store.copyToPayments(
    tx,
    records.map(({ id }) => id),
  );
  publish(
    tx,
    records.map((record) => ({ name: `${noun}.changed`, data: record }) as Outgoing),
  );
}

export const publishRecord = <Row extends RecordRow>(tx: Tx, kind: Kind<Row>, record: Row) =>
  publishRecords(tx, kind, [record]);

/** Updates a locked record (see `update` of the store) and publishes it. */
export async function changeRecord<Row extends RecordRow>(
  tx: Tx,
  kind: Kind<Row>,
  id: number,
  change: Change<Row>,
  more?: string[],
): Promise<Row> {
  const changed = await kind.store.update(tx, id, change, more);
  await publishRecord(tx, kind, changed);
  return changed;
}

/** Leaves the payout account out of the audit log, which is kept after the deletion of its owner. */
const withoutAccount = ({ account: _, ...shown }: ShownRecord) => shown;

/**
 * An administrator's decision on a record, which `move` carries out. Throws not_found, forbidden unless `mayDecide`,
 * conflict when the record no longer has the expected status, and the errors of `move` and `guard`, which also refuses
 * decisions that change nothing.
 */
export const decisions =
  <Row extends RecordRow>(
    database: Database,
    { noun, store, show, notFound }: Kind<Row>,
    move: (tx: Tx, record: Row, decision: Decision, admin: AdminCaller) => Promise<Row>,
    mayDecide: (admin: AdminCaller, record: Row, decision: Decision) => boolean = () => true,
    guard: (tx: Tx, record: Row) => Promise<void> = () => Promise.resolve(),
  ) =>
  (admin: AdminCaller, id: number, decision: Decision): Promise<Row> =>
    database.transact(async (tx) => {
      const record = await store.lock(tx, id);
      assertThat(record, notFound);
      assertThat(mayDecide(admin, record, decision), notYours);
      await guard(tx, record);
      const seen = decision.expected_status ?? record.status;
      assertThat(seen === record.status, () => decidedMeanwhile(record.status));
      if (changesNothing(record, decision)) return record;
      const moved = await move(tx, record, decision, admin);
      recordAdminAction(tx, admin, {
        action: `${noun}.updated`,
        subject: `${noun}:${id}`,
        before: withoutAccount(show(record)),
        after: withoutAccount(show(moved)),
        at: moved.updated_at,
      });
      return moved;
    });
