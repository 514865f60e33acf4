import Typography from '@mui/material/Typography';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { HeadedTable, Section } from '../shared/record/section.tsx';
import { Time } from '../shared/time/time.tsx';
import { Account } from '../shared/money/account.tsx';
import type { WithdrawalRow } from './decisions.tsx';
import { useWithdrawalText } from './words.ts';

/** The number of withdrawals whose accounts are shown. */
const MAX_ROWS = 100;

interface Used {
  method: string | null;
  account: string;
  count: number;
  lastUsedAt: string;
}

/** The accounts of withdrawals, which are newest first. */
function accountsIn(rows: Pick<WithdrawalRow, 'method' | 'account' | 'created_at'>[]): Used[] {
  const found = new Map<string, Used>();
  for (const { method, account, created_at: at } of rows) {
    if (account === null) continue;
    const key = JSON.stringify([method, account]);
    const used = found.get(key) ?? { method, account, count: 0, lastUsedAt: at };
    found.set(key, { ...used, count: used.count + 1 });
  }
  return [...found.values()];
}

/** The accounts to which a teacher has withdrawn, newest first. */
export function AccountsOf({ user }: { user: number }) {
  const t = useText();
  const { can, isMasked } = useRights();
  const word = useWithdrawalText();
  const region = useRegion();
  const { data, error, refetch } = useApiQuery(['accounts', user], (client) =>
    client.POST('/api/admin/withdrawalsall', { body: { user_id: user, pageItems: MAX_ROWS } }),
  );
  if (!can('POST /api/admin/withdrawalsall')) return null;
  const accounts = accountsIn(data?.data ?? []);
  const title = t('resources.people.sections.accounts');
  const account = t('resources.withdrawals.fields.account');
  return (
    <Section title={title}>
      {error !== null && <Failure error={error} retry={refetch} />}
      {!data && error === null && <Loading />}
      {data && accounts.length === 0 && <Typography color="textSecondary">{t('resources.people.none')}</Typography>}
      {accounts.length > 0 && (
        <HeadedTable
          label={title}
          heads={[
            t('resources.withdrawals.fields.method'),
            isMasked('POST /api/admin/withdrawalsall', 'data.account') ? t('masked', { field: account }) : account,
            t('resources.people.accounts.count'),
            t('resources.people.accounts.last'),
          ]}
          rows={accounts.map(({ method, account: number, count, lastUsedAt }) => [
            method ?? '–',
            <Account of={number} />,
            count,
            <Time at={lastUsedAt} />,
          ])}
        />
      )}
      {data && data.total > MAX_ROWS && (
        <Typography variant="caption" component="p" color="textSecondary">
          {word('newest', { count: MAX_ROWS, total: data.total.toLocaleString(region) })}
        </Typography>
      )}
    </Section>
  );
}
