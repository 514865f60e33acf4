import Box from '@mui/material/Box';
import Chip, { type ChipProps } from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ServerProvider } from '../data-provider.ts';
import { useRegion } from '../i18n/region.ts';
import { Action } from '../shared/forms/action.tsx';
import { Pager } from '../shared/lists/pager.tsx';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { HeadedTable, Section } from '../shared/record/section.tsx';
import { useAllItems } from './all-items.ts';
import { APPLIED, countsOf, sortedRows, type Item, type Results, type Verdict } from './payout.ts';
import { usePayoutText } from './words.ts';

/** The answer to the application of results. */
export interface Applied {
  applied: number;
  skipped: number;
}

const PER_PAGE = 100;

const COLOURS: Record<Verdict, ChipProps['color']> = {
  paid: 'success',
  failed: 'error',
  uncertain: 'warning',
  already: 'default',
  amount_differs: 'warning',
  unknown_reference: 'warning',
  repeated: 'warning',
  unreadable: 'warning',
};

/** A verdict as a coloured chip, with the number of its lines. */
function VerdictChip({ of, count }: { of: Verdict; count?: number }) {
  const word = usePayoutText();
  const region = useRegion();
  const name = word(`verdicts.${of}`);
  const number = count?.toLocaleString(region);
  const label = number === undefined ? name : word('counted', { number, name });
  return <Chip size="small" variant="outlined" color={COLOURS[of]} label={label} />;
}

function Counts({ of }: { of: Results }) {
  const word = usePayoutText();
  return (
    <Box
      component="ul"
      aria-label={word('results.verdicts')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, listStyle: 'none', margin: '0 0 8px', padding: 0 }}
    >
      {countsOf(of).map(([verdict, count]) => (
        <li key={verdict}>
          <VerdictChip of={verdict} count={count} />
        </li>
      ))}
    </Box>
  );
}

interface LinesProps {
  results: Results;
  /** The payouts of the batch by their id. */
  items: ReadonlyMap<number, Item>;
}

/** The lines of a file, uncertain ones first. */
function Lines({ results, items }: LinesProps) {
  const word = usePayoutText();
  const region = useRegion();
  const [page, setPage] = useState(1);
  const label = word('results.verdicts');
  const rows = sortedRows(results).slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const payout = (itemId: number | null) => {
    const item = itemId === null ? undefined : items.get(itemId);
    if (!item) return '–';
    return (
      <>
        {item.reference}, <bdi>{item.user.name}</bdi>, <PlainMoney amount={item.amount} />
      </>
    );
  };
  return (
    <>
      <HeadedTable
        label={label}
        heads={[
          word('results.line'),
          word('results.verdict'),
          word('results.payout'),
          word('results.provider_ref'),
          word('results.message'),
        ]}
        rows={rows.map(({ line, verdict, item_id: item, provider_ref: ref, message }) => [
          line.toLocaleString(region),
          <VerdictChip of={verdict} />,
          payout(item),
          ref ?? '–',
          message ?? '–',
        ])}
      />
      <Pager page={page} perPage={PER_PAGE} total={results.rows.length} go={setPage} />
    </>
  );
}

interface VerdictsProps {
  id: string;
  results: Results;
  isApplied: boolean;
  done: (applied: Applied) => void;
}

/** What each line of a file means, and the button that applies it. */
export function Verdicts({ id, results, isApplied, done }: VerdictsProps) {
  const word = usePayoutText();
  const region = useRegion();
  const importId = String(results.import_id);
  const applicable = countsOf(results).filter(([verdict]) => APPLIED.some((name) => name === verdict));
  const apply = async (provider: ServerProvider) =>
    done(
      await provider.request((client) =>
        client.POST('/api/admin/payout-batches/{id}/results/{import_id}/apply', {
          params: { path: { id, import_id: importId } },
        }),
      ),
    );
  const isEmpty = results.rows.length === 0;
  const { items, error, refetch } = useAllItems(id, !isEmpty);
  const button = !isApplied && !isEmpty && items && (
    <Action
      label={word('results.apply.label')}
      title={word('results.apply.title')}
      done={word('results.apply.done')}
      button={{ variant: 'contained' }}
      run={apply}
    >
      {word('results.apply.meaning')}
      <ul>
        {applicable.map(([verdict, count]) => (
          <li key={verdict}>
            {word('counted', { number: count.toLocaleString(region), name: word(`verdicts.${verdict}`) })}
          </li>
        ))}
        {applicable.length === 0 && <li>{word('results.apply.nothing')}</li>}
      </ul>
    </Action>
  );
  return (
    <Section title={word('results.verdicts')} aside={button}>
      <Counts of={results} />
      {isEmpty && <Typography color="textSecondary">{word('results.none')}</Typography>}
      {error !== null && <Failure error={error} retry={refetch} />}
      {!isEmpty && !items && error === null && <Loading />}
      {!isEmpty && items && <Lines results={results} items={items} />}
    </Section>
  );
}
