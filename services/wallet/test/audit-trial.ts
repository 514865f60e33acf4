import type { Database, Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { auditStep } from '../src/audit/audit-service.ts';

class Undo extends Error {}

/** What `look` returns after `statements`, which are rolled back. */
export async function outcomeOf<T>(owner: Database, statements: string[], look: (tx: Tx) => Promise<T>): Promise<T> {
  let seen: { as: T } | undefined;
  await owner
    .transact(async (tx) => {
      for (const statement of statements) await rows(tx, statement);
      seen = { as: await look(tx) };
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return seen!.as;
}

/** What counts the ledger's days, without waiting for anybody. */
export const COUNT_NEW = [
  `insert into ledger_day as known (day, kind, count, amount, first_id, last_id)
   select (created_at at time zone 'UTC')::date, kind, count(*), sum(amount), min(id), max(id)
   from transfer where id > (select counted_to from ledger_day_mark) group by 1, 2
   on conflict (day, kind) do update set count = known.count + excluded.count, amount = known.amount + excluded.amount`,
  'update ledger_day_mark set counted_to = greatest(counted_to, (select max(id) from transfer))',
];

/** The findings of so many steps, as text. */
export const findingsAfter = (steps: number, size: number) => async (tx: Tx) => {
  for (let step = 0; step < steps; step += 1) await auditStep(tx, size);
  const found = await rows(tx, 'select "check", subject, expected, found from audit_finding');
  return found.map((finding) => Object.values(finding as object).join(' | ')).join('\n');
};
