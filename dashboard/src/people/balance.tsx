import type { ReactNode } from 'react';
import { idOf } from '../data/binding.ts';
import { useText } from '../i18n/i18n.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import type { Person } from './person.ts';

/** The number of disputes whose debts are added up. */
const MAX_DISPUTES = 100;

/** What a student owes because of disputes. */
function useDebt({ id, platform }: Person): [label: string, value: ReactNode][] {
  const t = useText();
  const { data } = useApiQuery(
    ['debt', id],
    (client) => client.POST('/api/admin/disputesall', { body: { user_id: id, pageItems: MAX_DISPUTES } }),
    { isNeeded: platform === 'student' },
  );
  const owed = data?.data.reduce((sum, dispute) => sum + dispute.owed, 0);
  return owed === undefined ? [] : [[t('resources.people.fields.owed'), <PlainMoney amount={owed} />]];
}

/** A person's available balance, and with the right the amounts held for a call or withdrawal, and owed. */
export function useBalanceFacts(person: Person): [label: string, value: ReactNode][] {
  const { id, solde } = person;
  const debt = useDebt(person);
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
    ...debt,
  ];
}
