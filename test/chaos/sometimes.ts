import { SERVICES } from '@tutoring/shared/process/names';
import type { World } from './world.ts';
import type { Listener } from './workload/listener.ts';

/** Rare paths that a long run must have taken: a fault that never leads there tests less than it seems to. */
export const RARE_PATHS = [
  'a repeat got the first answer',
  'a repeat met its first request still running',
  'a call was refused for lack of money',
  'a call ended by silence',
  'a call ended because the money ran out',
  'nobody answered a call',
  'an answer of wallet to calls was lost',
  'a lease was taken over',
  'events waited in an outbox',
  'an event was delivered again',
  'an event stream was resumed',
  'a late payment was credited after a failure',
  'an event stream was told to fetch again',
  // These are what the log says.
  'a job failed and will run again',
  'a service does not answer: its breaker is open',
  'the stream has lost acknowledged events: they are sent again',
] as const;

const LATE = `
  select count(*)::int as count from deposit d where d.status = 'success' and exists (
    select from webhook_event w where w.deposit_id = d.id and w.type <> 'deposit.succeeded')`;
const CONSUMED = /^events_consumed_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm;

/** Counts, at the end of a run, the paths that rows and metrics show. Returns how many events were taken in and heard. */
export async function countRarePaths(world: World, listeners: Listener[]): Promise<number> {
  const { stack, record } = world;
  const [late] = await stack.sql<{ count: number }>('wallet', LATE);
  record.seen('a late payment was credited after a failure', late?.count ?? 0);
  for (const { metricsUrl } of stack.product.replicas) {
    const text = await fetch(metricsUrl)
      .then((response) => response.text())
      .catch(() => '');
    for (const [, outcome, count] of text.matchAll(CONSUMED)) {
      if (outcome === 'repeated') record.seen('an event was delivered again', Number(count));
    }
  }
  let events = listeners.reduce((sum, { heard }) => sum + heard.length, 0);
  for (const service of SERVICES) {
    const [row] = await stack.sql<{ count: number }>(service, 'select count(*)::int as count from inbox');
    events += row?.count ?? 0;
  }
  return events;
}
