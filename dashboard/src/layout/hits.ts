import { useGetList } from 'ra-core';
import type { components } from '@tutoring/client/schema';
import type { ResourceName, RowOf } from '../data/bindings.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { isolated } from '../i18n/direction.ts';
import { useText } from '../i18n/i18n.ts';
import { formatMoney, type Direction } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import { writtenTime } from '../shared/time/time.tsx';
import { exactFirst } from './exact.ts';

interface Hit {
  resource: 'people' | 'calls' | 'deposits' | 'withdrawals' | 'payouts' | 'disputes' | 'refunds' | 'support';
  id: number | string;
  title: string;
  detail: string;
  /** Identifiers that are unique or almost unique, such as the id, e-mail address or reference. */
  names: (string | null)[];
}

/** The maximum number of hits from each list. */
const MAX_PER_LIST = 5;

/** Searches the lists that the administrator may see. An empty text finds nothing and sends no request. */
export function useHits(text: string) {
  const query = { pagination: { page: 1, perPage: MAX_PER_LIST }, filter: { q: text } };
  const { canDo } = useRights();
  const options = (resource: ResourceName) => ({ enabled: text !== '' && canDo(resource, 'list') });
  const people = useGetList<RowOf<'people'>>('people', query, options('people'));
  const calls = useGetList<RowOf<'calls'>>('calls', query, options('calls'));
  const deposits = useGetList<RowOf<'deposits'>>('deposits', query, options('deposits'));
  const withdrawals = useGetList<RowOf<'withdrawals'>>('withdrawals', query, options('withdrawals'));
  const payouts = useGetList<RowOf<'payouts'>>('payouts', query, options('payouts'));
  const disputes = useGetList<RowOf<'disputes'>>('disputes', query, options('disputes'));
  const refunds = useGetList<RowOf<'refunds'>>('refunds', query, options('refunds'));
  const cases = useCases(text);
  const hit = useHit();
  const lists = [people, calls, deposits, withdrawals, payouts, disputes, refunds, cases];
  const isPending = lists.some((list) => list.isLoading);
  const hits = () =>
    exactFirst(text, [
      ...(people.data ?? []).map(hit.person),
      ...(calls.data ?? []).map(hit.call),
      ...(deposits.data ?? []).map(hit.money('deposits', 'in')),
      ...(withdrawals.data ?? []).map((row) => hit.money('withdrawals', 'out', row.account)(row)),
      ...(payouts.data ?? []).map(hit.payout),
      ...(disputes.data ?? []).map(hit.dispute),
      ...(refunds.data ?? []).map(hit.refund),
      ...(cases.data?.data ?? []).map(hit.case),
    ]);
  return {
    // All at once: a list that arrives later would move the hit that the arrow keys have reached.
    hits: isPending ? [] : hits(),
    isPending,
    error: lists.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(lists.filter((list) => list.error !== null).map((list) => list.refetch())),
  };
}

/** Searches the support cases. */
const useCases = (text: string) =>
  useApiQuery(
    ['support', 'found', text],
    (client) => {
      const body = { q: text, sort: 'newest', pageItems: MAX_PER_LIST } as const;
      return client.POST('/api/admin/desk/casesall', { body });
    },
    { isNeeded: text !== '' },
  );

function useHit() {
  const t = useText();
  const region = useRegion();
  const line = (...parts: string[]) => parts.filter((part) => part !== '').join(' · ');
  return {
    person: ({ id, name, email, phone_number: phone, platform }: RowOf<'people'>): Hit => ({
      resource: 'people',
      id,
      title: name,
      detail: line(t(`resources.people.platforms.${platform}`), email, phone),
      names: [String(id), email, phone],
    }),
    call: (call: RowOf<'calls'>): Hit => ({
      resource: 'calls',
      id: call.identifier,
      title: t('resources.calls.title', { student: call.student_name, teacher: call.teacher_name }),
      detail: line(t(`resources.calls.states.${call.state}`), writtenTime(call.created_at, region)),
      names: [call.identifier],
    }),
    money:
      (resource: 'deposits' | 'withdrawals', direction: Direction, account: string | null = null) =>
      ({ id, amount, currency, user, status, ref, created_at: at }: RowOf<'deposits'>): Hit => ({
        resource,
        id,
        title: `${t(`resources.${resource}.title`, { id })}: ${formatMoney(amount, currency, region, direction)}`,
        detail: line(isolated(user.name), t(`status.${status}`), account ?? '', ref ?? '', writtenTime(at, region)),
        names: [String(id), ref, account],
      }),
    payout: ({ id, amount, currency, status, note, created_at: at }: RowOf<'payouts'>): Hit => ({
      resource: 'payouts',
      id,
      title: `${t('resources.payouts.title', { id })}: ${formatMoney(amount, currency, region, 'out')}`,
      detail: line(t(`status.${status}`), note ?? '', writtenTime(at, region)),
      names: [String(id)],
    }),
    dispute: ({ id, amount, currency, user, status, provider_ref: ref, created_at: at }: RowOf<'disputes'>): Hit => ({
      resource: 'disputes',
      id,
      title: `${t('resources.disputes.title', { id })}: ${formatMoney(amount, currency, region)}`,
      detail: line(isolated(user.name), t(`status.${status}`), ref, writtenTime(at, region)),
      names: [String(id), ref],
    }),
    refund: ({ id, amount, currency, deposit_id: deposit, status, ref, created_at: at }: RowOf<'refunds'>): Hit => ({
      resource: 'refunds',
      id,
      title: `${t('resources.refunds.title', { id })}: ${formatMoney(amount, currency, region, 'out')}`,
      detail: line(
        t('resources.deposits.title', { id: deposit }),
        t(`status.${status}`),
        ref ?? '',
        writtenTime(at, region),
      ),
      names: [String(id), ref],
    }),
    case: ({ id, user, subject, state, created_at: at }: components['schemas']['MessagingSupportCase']): Hit => ({
      resource: 'support',
      id,
      title: `${t('resources.support.case.title', { id })}: ${isolated(user.name)}`,
      detail: line(subject, t(`status.${state}`), writtenTime(at, region)),
      names: [String(id)],
    }),
  };
}
