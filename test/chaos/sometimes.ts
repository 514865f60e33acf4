import { SERVICES } from '@tutoring/shared/contract/names';
import type { World } from './world.ts';
import type { Listener } from './workload/listener.ts';

/** Rare paths that a long run must take, to prove that the faults reach them. */
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
  'a deposit was disputed',
  'a deposit was asked back',
  'a batch of payouts was made',
  'two wanted the same withdrawal',
  'two reports about a batch were applied at once',
  'a payout became uncertain',
  'a payout came back',
  'a provider gave no answer about a payout',
  'an event stream was told to fetch again',
  // The following are log lines of the product.
  'a job failed and will run again',
  'a service does not answer: its breaker is open',
  'the stream has lost acknowledged events: they are sent again',
] as const;

const LATE = `
  select count(*)::int as count from deposit d where d.status = 'success' and exists (
    select from webhook_event w where w.deposit_id = d.id and w.type in ('deposit.failed', 'deposit.canceled'))`;
const CONSUMED = /^events_consumed_total\{[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm;

/**
 * Counts the rare paths in rows and metrics at the end of a run. Returns the number of consumed and delivered events.
 */
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
  let events = listeners.reduce((sum, { received }) => sum + received.length, 0);
  for (const service of SERVICES) {
    const [row] = await stack.sql<{ count: number }>(service, 'select count(*)::int as count from inbox');
    events += row?.count ?? 0;
  }
  return events;
}
