import type { ReactNode } from 'react';
import { idOf } from '../data/binding.ts';
import { useText } from '../i18n/i18n.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import type { Person } from './person.ts';

/** A person's available balance, and with the right the amount held for a call or withdrawal. */
export function useBalanceFacts({ id, solde }: Person): [label: string, value: ReactNode][] {
  const t = useText();
  const { data: wallet } = useApiQuery(['wallet', id], (client) =>
    client.GET('/api/admin/users/{id}/wallet', idOf(id)),
  );
  const { can } = useRights();
  const held: [label: string, value: ReactNode] = [
    t('resources.people.fields.held'),
    wallet && <PlainMoney amount={wallet.held} />,
  ];
  return [
    [t('resources.people.fields.solde'), <PlainMoney amount={wallet?.available ?? solde} />],
    ...(can('GET /api/admin/users/{id}/wallet') ? [held] : []),
  ];
}
