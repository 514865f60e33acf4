import { inPages } from '@tutoring/shared/kit/database/pages';
import { value, type Reader } from '@tutoring/shared/kit/database/sql';
import type { SpentLine } from './evidence.ts';

export const depositedAt = (reader: Reader, depositId: number) =>
  value<string>(reader, 'select created_at from deposit where id = $1', [depositId]);

const SIDE = (own: string, direction: string) => `
  (select t.id, '${direction}' as direction, t.amount, t.call_identifier,
     coalesce(t.deposit_id, (select d.deposit_id from dispute d where d.id = t.dispute_id),
       (select r.deposit_id from deposit_refund r where r.id = t.refund_id)) as deposit_id
   from transfer t where t.${own} = $3 and t.id > $1 order by t.id limit $2)`;

/** All movements of a user's money, oldest first. */
export async function spentLines(reader: Reader, userId: number): Promise<SpentLine[]> {
  const lines: SpentLine[] = [];
  const sql = `${SIDE('debit_account', 'out')} union all ${SIDE('credit_account', 'in')} order by id limit $2`;
  for await (const line of inPages<SpentLine & { id: number }>(reader, sql, 'id', 0, [userId])) lines.push(line);
  return lines;
}
