import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { assertThat, type AppError } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Database, Tx } from '@tutoring/shared/kit/database/open';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';
import { runOncePerKey, type IdempotentRequest } from '@tutoring/shared/kit/http/serve/idempotency';
import { Reply } from '@tutoring/shared/kit/http/declare/route';
import { decidedMeanwhile } from '../errors.ts';
import {
  changesNothing,
  type Change,
  type Decision,
  type listBody,
  type RecordRow,
  type ShownRecord,
} from './record.ts';
import type { RecordStore } from './record-store.ts';

/**
 * Runs `effect` in a transaction, once per Idempotency-Key. If the connection is lost after COMMIT was sent, looks up
 * the key (a generated one if the client sent none) and throws the error only if the transaction was not committed.
 */
export async function transactOnce<T>(
  database: Database,
  request: IdempotentRequest,
  effect: (tx: Tx) => Promise<T>,
): Promise<T | Reply> {
  const keyed = { ...request, key: request.key ?? `auto:${randomUUID()}` };
  try {
    return await database.transact((tx) => runOncePerKey(tx, keyed, () => effect(tx)));
  } catch (failure) {
    if (!isUnavailable(failure)) throw failure;
    const settled = await database.transact((tx) => runOncePerKey(tx, keyed, () => Promise.reject(failure as Error)));
    return settled instanceof Reply && request.key === undefined ? new Reply(settled.body) : settled;
  }
}

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

/** Publishes the new state of a record and copies it to its payment row. */
export async function publishRecord<Row extends RecordRow>(tx: Tx, { noun, store }: Kind<Row>, record: Row) {
  await store.copyToPayment(tx, record.id);
  await publish(tx, `${noun}.changed`, record);
}

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
 * An administrator's decision on a record, which `move` carries out. Throws not_found, conflict when the record no
 * longer has the expected status, and the errors of `move`.
 */
export const decisions =
  <Row extends RecordRow>(
    database: Database,
    { noun, store, show, notFound }: Kind<Row>,
    move: (tx: Tx, record: Row, decision: Decision, admin: AdminCaller) => Promise<Row>,
  ) =>
  (admin: AdminCaller, id: number, decision: Decision): Promise<Row> =>
    database.transact(async (tx) => {
      const record = await store.lock(tx, id);
      assertThat(record, notFound);
      const seen = decision.expected_status ?? record.status;
      assertThat(seen === record.status, () => decidedMeanwhile(record.status));
      if (changesNothing(record, decision)) return record;
      const moved = await move(tx, record, decision, admin);
      await recordAdminAction(tx, admin, {
        action: `${noun}.updated`,
        subject: `${noun}:${id}`,
        before: withoutAccount(show(record)),
        after: withoutAccount(show(moved)),
        at: moved.updated_at,
      });
      return moved;
    });
