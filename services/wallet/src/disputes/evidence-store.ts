import { inPages } from '@tutoring/shared/kit/database/pages';
import { value, type Reader } from '@tutoring/shared/kit/database/sql';
import type { SpentLine } from './evidence.ts';

export const depositedAt = (reader: Reader, depositId: number) =>
  value<string>(reader, 'select created_at from deposit where id = $1', [depositId]);

const SIDE = (own: string, direction: string) => `
  (select id, '${direction}' as direction, amount, deposit_id, call_identifier from transfer
   where ${own} = $3 and id > $1 order by id limit $2)`;

/** All movements of a user's money, oldest first. */
export async function spentLines(reader: Reader, userId: number): Promise<SpentLine[]> {
  const lines: SpentLine[] = [];
  const sql = `${SIDE('debit_account', 'out')} union all ${SIDE('credit_account', 'in')} order by id limit $2`;
  for await (const line of inPages<SpentLine & { id: number }>(reader, sql, 'id', 0, [userId])) lines.push(line);
  return lines;
}
