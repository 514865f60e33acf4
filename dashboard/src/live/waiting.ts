import { useApiQuery } from '../shared/queries/api-query.ts';

/** Polling interval for counts that no live event updates. */
export const POLL_MS = 15_000;
/** The maximum number of rooms counted. */
export const MAX_ROOMS = 100;

interface Asking {
  everyMs?: number;
}

/** The first parts of the keys of all counts, and of those of payouts. */
export const WAITING = ['waiting'];
export const WAITING_PAYOUTS = [...WAITING, 'payouts'];

/** The maximum number of exported batches, oldest first, whose uncertain payouts are counted. */
const MAX_BATCHES = 100;

/** Batches of payouts to approve, and uncertain payouts; undefined until loaded. */
function useWaitingPayouts(asking: Asking) {
  const drafts = useApiQuery(
    [...WAITING_PAYOUTS, 'drafts'],
    (client) => client.POST('/api/admin/payout-batchesall', { body: { status: 'draft', pageItems: 1 } }),
    asking,
  );
  const exported = useApiQuery(
    [...WAITING_PAYOUTS, 'exported'],
    (client) =>
      client.POST('/api/admin/payout-batchesall', {
        body: { status: 'exported', pageItems: MAX_BATCHES, order: 'asc' },
      }),
    asking,
  );
  return {
    drafts: drafts.data?.total,
    uncertain: exported.data?.data.reduce((sum, { items }) => sum + items.uncertain, 0),
  };
}

/** Disputes to answer, refunds to decide and open breaks; undefined until loaded. */
function useWaitingMoney(asking: Asking) {
  const needed = useApiQuery(
    [...WAITING, 'needs_response'],
    (client) => client.POST('/api/admin/disputesall', { body: { status: 'needs_response', pageItems: 1 } }),
    asking,
  );
  const inquiries = useApiQuery(
    [...WAITING, 'inquiry'],
    (client) => client.POST('/api/admin/disputesall', { body: { status: 'inquiry', pageItems: 1 } }),
    asking,
  );
  const refunds = useApiQuery(
    [...WAITING, 'refunds'],
    (client) => client.POST('/api/admin/deposit-refundsall', { body: { status: 'requested', pageItems: 1 } }),
    asking,
  );
  const breaks = useApiQuery(
    [...WAITING, 'breaks'],
    (client) => client.POST('/api/admin/breaksall', { body: { status: 'open', pageItems: 1 } }),
    asking,
  );
  return {
    disputes: needed.data && inquiries.data && needed.data.total + inquiries.data.total,
    refunds: refunds.data?.total,
    breaks: breaks.data?.total,
  };
}

/** Counts of items that need attention; undefined until loaded. Polls every `everyMs`; `{}` does not poll. */
export function useWaiting(asking: Asking = { everyMs: POLL_MS }) {
  const stats = useApiQuery(['stats'], (client) => client.GET('/api/admin/stats'), asking);
  const rooms = useApiQuery(
    [...WAITING, 'rooms'],
    (client) => client.GET('/api/admin/rooms', { params: { query: { limit: MAX_ROOMS, unanswered: true } } }),
    asking,
  );
  const reports = useApiQuery(
    [...WAITING, 'reports'],
    (client) => client.POST('/api/admin/reportsall', { body: { status: 'open', pageItems: 1 } }),
    asking,
  );
  const money = useWaitingMoney(asking);
  const payouts = useWaitingPayouts(asking);
  const byStatus = stats.data?.withdrawals.by_status;
  return {
    initiated: byStatus?.initiated,
    claimed: byStatus?.pending,
    rooms: rooms.data?.length,
    reports: reports.data?.total,
    ...money,
    ...payouts,
  };
}
