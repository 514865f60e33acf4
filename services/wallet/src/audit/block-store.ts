import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { GENESIS, type Block, type Content } from './block.ts';

const COLUMNS = 'block, after_id, up_to_id, transfers, amount, digest, total_transfers, total_amount, chain';

/** The newest block. */
export const lastBlock = async (reader: Reader): Promise<Block> =>
  (await row<Block>(reader, `select ${COLUMNS} from audit_block order by block desc limit 1`)) ?? GENESIS;

/** A block, if it is there. */
export const findBlock = async (reader: Reader, block: number): Promise<Block | undefined> =>
  block === 0 ? GENESIS : row<Block>(reader, `select ${COLUMNS} from audit_block where block = $1`, [block]);

export const saveBlock = (tx: Tx, block: Block) =>
  rows(
    tx,
    `insert into audit_block (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (block) do update set up_to_id = excluded.up_to_id, transfers = excluded.transfers,
       amount = excluded.amount, digest = excluded.digest, total_transfers = excluded.total_transfers,
       total_amount = excluded.total_amount, chain = excluded.chain`,
    [
      block.block,
      block.after_id,
      block.up_to_id,
      block.transfers,
      block.amount,
      block.digest,
      block.total_transfers,
      block.total_amount,
      block.chain,
    ],
  );

/** The transfers with `after` < id <= `upTo`. */
export const contentOf = async (reader: Reader, after: number, upTo: number): Promise<Content> =>
  (await row<Content>(
    reader,
    `select count(*) as transfers, coalesce(sum(amount), 0) as amount,
       encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', id, kind, reference, debit_account, credit_account,
         amount, (extract(epoch from created_at) * 1000000)::bigint), ';' order by id), ''), 'UTF8')), 'hex') as digest
     from transfer where id > $1 and id <= $2`,
    [after, upTo],
  ))!;

/** The id of the last of the next `limit` transfers; `settled` when there are fewer up to there. */
export async function endOfNext(reader: Reader, after: number, settled: number, limit: number): Promise<number> {
  const last = await row<{ id: number }>(
    reader,
    'select id from transfer where id > $1 and id <= $2 order by id offset $3 limit 1',
    [after, settled, limit - 1],
  );
  return last?.id ?? settled;
}

/** Up to where no transfer can appear any more, and the sums up to there that the statistics have counted. */
export const counted = async (reader: Reader): Promise<{ settled: number; transfers: number; amount: number }> =>
  (await row<{ settled: number; transfers: number; amount: number }>(
    reader,
    `select counted_to as settled, (select coalesce(sum(count), 0) from ledger_day) as transfers,
       (select coalesce(sum(amount), 0) from ledger_day) as amount
     from ledger_day_mark`,
  ))!;
