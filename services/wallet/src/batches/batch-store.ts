import { createListing } from '@tutoring/shared/kit/database/listing';
import { containsCondition } from '@tutoring/shared/kit/database/search';
import { insert, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { BatchFilter, BatchRow } from './batch.ts';

const SUMS = `(select coalesce(jsonb_object_agg(s.status, jsonb_build_array(s.items, s.amount)), '{}')
  from (select i.status, count(*) as items, sum(i.amount) as amount from payout_item i
    where i.batch_id = payout_batch.id group by i.status) s)`;
const COLUMNS = `id, status, format, currency, needs_approval, note, creator_id, creator_name, approver_id, approver_name,
  approved_at, exported_at, closed_at, file_name, file_bytes, file_sha256, changer_name, version, created_at, updated_at,
  ${SUMS} as items`;
const SELECT = `select ${COLUMNS} from payout_batch`;

type Columns = Omit<BatchRow, 'id' | 'items' | 'version' | 'created_at' | 'updated_at'>;

export const insertBatch = async (tx: Tx, batch: Partial<Columns>): Promise<{ id: number }> =>
  (await insert<{ id: number }>(tx, 'payout_batch', batch, 'returning id'))!;

export const findBatch = (reader: Reader, id: number) => row<BatchRow>(reader, `${SELECT} where id = $1`, [id]);

/** Locked until `tx` ends. */
export const lockBatch = (tx: Tx, id: number) =>
  row<BatchRow>(tx, `${SELECT} where id = $1 for no key update of payout_batch`, [id]);

/** Locks a batch without summing up its items. */
export const lockStatus = async (tx: Tx, id: number) =>
  (await row<Pick<BatchRow, 'status'>>(tx, 'select status from payout_batch where id = $1 for no key update', [id]))
    ?.status;

/** Writes the fields, the current time into `now`, and the next version. */
export const updateBatch = (tx: Tx, id: number, change: Partial<Columns>, now: (keyof Columns)[] = []) =>
  update<BatchRow>(
    tx,
    'payout_batch',
    { id, returning: COLUMNS, more: now.map((column) => `${column} = app_now()`) },
    change,
  );

export interface PayoutFile {
  name: string;
  bytes: Buffer;
}

export const insertFile = (tx: Tx, batchId: number, bytes: Buffer) =>
  rows(tx, 'insert into payout_file (batch_id, bytes) values ($1, $2)', [batchId, bytes]);

/** The file of a batch, if it was exported. */
export const findFile = (reader: Reader, batchId: number) =>
  row<{ name: string; sha256: string; bytes: Buffer; at: string }>(
    reader,
    `select b.file_name as name, b.file_sha256 as sha256, f.bytes, app_now() as at
     from payout_file f join payout_batch b on b.id = f.batch_id where f.batch_id = $1`,
    [batchId],
  );

/** Pages of batches, newest first. */
export const createBatchList = () =>
  createListing<BatchRow, BatchFilter>({
    table: 'payout_batch',
    select: SELECT,
    key: 'id',
    tallied: ['status'],
    others: async ({ format, filter_value: searched }, parameter, reader) => {
      const conditions = format === undefined ? [] : [`t.format = ${parameter(format)}`];
      if (searched === undefined) return conditions;
      const folded = await value<string>(reader, 'select fold($1)', [searched]);
      const text = { table: 'payout_batch', as: 't', text: 't.find' };
      const contains = await containsCondition(reader, text, folded, parameter);
      const isId = /^\d{1,15}$/.test(searched);
      return [...conditions, isId ? `(t.id = ${parameter(Number(searched))} or ${contains})` : contains];
    },
  });

/** A withdrawal with what decides whether it can be in a batch, and what an administrator is warned of. */
export interface Candidate {
  id: number;
  amount: number;
  is_banned: boolean;
  /** The payout account still exists, or the withdrawal has the old form; and its hold is over. */
  is_usable: boolean;
  is_first: boolean;
  is_shared: boolean;
}

export const findCandidates = (reader: Reader, ids: number[]) =>
  rows<Candidate>(
    reader,
    `select w.id, w.amount, coalesce(u.status = 'banned', false) as is_banned,
       w.account is not null and (w.payout_account_id is null or coalesce(p.usable_at <= app_now(), false)) as is_usable,
       not exists (select from withdrawal o where o.user_id = w.user_id and o.status = 'success') as is_first,
       exists (select from withdrawal o where o.account is not null and account_signs(o.account) = account_signs(w.account)
           and o.user_id <> w.user_id)
         or exists (select from payout_account o where account_signs(o.account) = account_signs(w.account)
           and o.user_id <> w.user_id) as is_shared
     from withdrawal w left join user_copy u on u.id = w.user_id left join payout_account p on p.id = w.payout_account_id
     where w.id = any($1::bigint[]) order by w.id`,
    [ids],
  );

/** Which of the ids are of withdrawals. */
export const knownWithdrawals = (reader: Reader, ids: number[]) =>
  rows<{ id: number }>(reader, 'select id from withdrawal where id = any($1::bigint[])', [ids]);
