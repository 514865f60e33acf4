import { rows } from '../database/sql.ts';
import { countBacklog, type Backlog } from '../database/tally.ts';
import type { TestService } from './service.ts';

/**
 * Takes all rows of `table` out of their counters, as if these were new, and counts them again in steps of `step` rows.
 * `between` runs before the first step and after each.
 */
export async function recountInSteps(
  service: TestService,
  {
    backlog,
    table,
    last,
    step,
    between,
  }: { backlog: Backlog; table: string; last: string; step: number; between(): Promise<void> },
): Promise<void> {
  const { database } = service.service;
  await service.asOwner(
    `do $$ begin
       lock table ${table} in share row exclusive mode;
       delete from tally;
       update tally_backlog set since = app_now(), until = ${last},
         after = case when name = 'room' then '00000000-0000-0000-0000-000000000000' else '0' end
       where name = '${backlog.name}';
     end $$`,
  );
  await between();
  for (;;) {
    const isMore = await database.transact((tx) => countBacklog(tx, backlog, step));
    await between();
    const [left] = await rows(database.manager, 'select from tally_backlog where name = $1 and after <> until', [
      backlog.name,
    ]);
    if (!isMore && !left) return;
  }
}
