import { randomUUID } from 'node:crypto';
import { LEASE_MS } from '../process/deadlines.ts';
import { rows, type Reader } from './sql.ts';

/**
 * Commits asynchronously. After a crash of the server the last renewal may be lost, and another replica may take the
 * lease up to a second too early. Two holders for a moment must be harmless anyway (see below).
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
 * A lease that one replica holds for some seconds, by the database's clock. A holder that was paused in the middle of
 * its work may finish it while the next one works: that must be harmless.
 * `question`: an SQL expression that is evaluated for the holder; never null; its parameters start at $3.
 */
export function createLease<Answer>(manager: Reader, name: string, question: string) {
  const holder = randomUUID();
  const take = `${TAKE} select ${question} as answer from held`;
  let heldUntil = -Infinity;
  return {
    /** Takes or renews the lease and returns the value of `question`; undefined while another process holds it. */
    async take(parameters: unknown[]): Promise<Answer | undefined> {
      const asked = performance.now();
      const [held] = await rows<{ answer: Answer }>(manager, take, [name, holder, ...parameters]);
      heldUntil = held ? asked + LEASE_MS : -Infinity;
      return held?.answer;
    },
    /**
     * Whether this process holds the lease. Needs no query, and never returns true for longer than the database grants.
     */
    isHeld: () => performance.now() < heldUntil,
    async release(): Promise<void> {
      heldUntil = -Infinity;
      await rows(manager, 'delete from lease where name = $1 and holder = $2', [name, holder]);
    },
  };
}
