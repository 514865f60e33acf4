import { useGetList } from 'ra-core';
import type { RowOf } from '../data/bindings.ts';
import { isolated } from '../i18n/direction.ts';
import { useText } from '../i18n/i18n.ts';
import { formatMoney, type Direction } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import { writtenTime } from '../shared/time/time.tsx';

interface Hit {
  resource: 'people' | 'calls' | 'deposits' | 'withdrawals';
  id: number | string;
  title: string;
  detail: string;
}

/** Of each list. */
const MOST = 5;

/** What the lists find by a text: nothing for none. */
export function useHits(text: string) {
  const asked = { pagination: { page: 1, perPage: MOST }, filter: { q: text } };
  const options = { enabled: text !== '' };
  const people = useGetList<RowOf<'people'>>('people', asked, options);
  const calls = useGetList<RowOf<'calls'>>('calls', asked, options);
  const deposits = useGetList<RowOf<'deposits'>>('deposits', asked, options);
  const withdrawals = useGetList<RowOf<'withdrawals'>>('withdrawals', asked, options);
  const hit = useHit();
  const lists = [people, calls, deposits, withdrawals];
  return {
    hits: [
      ...(people.data ?? []).map(hit.person),
      ...(calls.data ?? []).map(hit.call),
      ...(deposits.data ?? []).map(hit.money('deposits', 'in')),
      ...(withdrawals.data ?? []).map(hit.money('withdrawals', 'out')),
    ],
    isPending: text !== '' && lists.some((list) => list.isPending),
    error: lists.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(lists.map((list) => list.refetch())),
  };
}

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
    }),
    call: (call: RowOf<'calls'>): Hit => ({
      resource: 'calls',
      id: call.identifier,
      title: t('resources.calls.one', { student: call.student_name, teacher: call.teacher_name }),
      detail: line(t(`resources.calls.states.${call.state}`), writtenTime(call.created_at, region)),
    }),
    money:
      (resource: 'deposits' | 'withdrawals', direction: Direction) =>
      ({ id, amount, currency, user, status, ref, created_at: at }: RowOf<'deposits'>): Hit => ({
        resource,
        id,
        title: `${t(`resources.${resource}.one`, { id })}: ${formatMoney(amount, currency, region, direction)}`,
        detail: line(isolated(user.name), t(`status.${status}`), ref ?? '', writtenTime(at, region)),
      }),
  };
}
