import { randomUUID } from 'node:crypto';
import { LEASE_MS } from '../process/deadlines.ts';
import { prepared, rows, type Reader } from './sql.ts';

/**
 * Does not wait for the disk. A server that crashes may forget the last renewal, so that another replica takes the lease
 * up to a second too early: two holders for a moment are harmless, as they are after a pause of the first.
 */
const TAKE = `
  with quick as materialized (select set_config('synchronous_commit', 'off', true)),
  held as (
    insert into lease as l (name, holder, until)
    select $1, $2, clock_timestamp() + interval '${LEASE_MS} milliseconds' from quick
    on conflict (name) do update
      set holder = excluded.holder, until = clock_timestamp() + interval '${LEASE_MS} milliseconds'
      where l.holder = excluded.holder or l.until < clock_timestamp()
    returning holder)`;

/**
 * A lease, by the database's clock: one replica at a time holds it, for some seconds. A holder that was paused in the
 * middle of its work may finish it beside the next holder: that must be harmless.
 * `question`: an SQL expression, never null, for the holder; its parameters begin at $3.
 */
export function createLease<Answer>(manager: Reader, name: string, question: string) {
  const holder = randomUUID();
  const take = { name: `lease_${name}`, sql: `${TAKE} select ${question} as answer from held` };
  let heldUntil = -Infinity;
  return {
    /** Takes or renews the lease, and answers the question; undefined while another process holds it. */
    async take(parameters: unknown[]): Promise<Answer | undefined> {
      const asked = performance.now();
      const [held] = await prepared<{ answer: Answer }>(manager, take, [name, holder, ...parameters]);
      heldUntil = held ? asked + LEASE_MS : -Infinity;
      return held?.answer;
    },
    /** Whether it is held, as far as is known without a query: never longer than the database says. */
    isHeld: () => performance.now() < heldUntil,
    async giveBack(): Promise<void> {
      heldUntil = -Infinity;
      await rows(manager, 'delete from lease where name = $1 and holder = $2', [name, holder]);
    },
  };
}
