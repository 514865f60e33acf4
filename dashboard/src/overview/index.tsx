import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useSearchParams } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { lazyComponent } from '../shared/page/lazy-component.tsx';
import { PageTitle } from '../shared/page/page-title.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useDays } from './daily.ts';
import { DeskFigures } from './desk.tsx';
import { Figures } from './figures.tsx';
import { PERIODS, toPeriod, type Period } from './period.ts';
import { Totals, useHasWaiting, WaitingList } from './waiting.tsx';

/** Loaded separately, because charts are a third of the page's code. */
const Charts = lazyComponent('charts', async () => ({ default: (await import('./charts.tsx')).Charts }));

function PeriodChoice({ period, choose }: { period: Period; choose: (period: Period) => void }) {
  const t = useText();
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      color="primary"
      aria-label={t('overviewPage.period')}
      value={period}
      onChange={(_event, next: Period | null) => next !== null && choose(next)}
    >
      {PERIODS.map((days) => (
        <ToggleButton key={days} value={days}>
          {t('overviewPage.days', { days })}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

function Period({ period }: { period: Period }) {
  const { now, before } = useDays(period);
  const error = now.error ?? before.error;
  if (error) return <Failure error={error} retry={() => Promise.all([now.refetch(), before.refetch()])} />;
  if (!now.data || !before.data) return <Loading />;
  return (
    <>
      <Figures days={now.data} before={before.data} />
      <Charts days={now.data} />
    </>
  );
}

const Overview = () => {
  const t = useText();
  const [search, setSearch] = useSearchParams();
  const period = toPeriod(search.get('days'));
  const hasWaiting = useHasWaiting();
  return (
    <Stack spacing={2} sx={{ paddingY: 2 }}>
      <PageTitle title={t('overview')} />
      {hasWaiting && (
        <>
          <Typography variant="h6" component="h2">
            {t('overviewPage.waiting')}
          </Typography>
          <WaitingList />
        </>
      )}
      <Totals />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Typography variant="h6" component="h2" sx={{ flexGrow: 1 }}>
          {t('overviewPage.figures', { days: period })}
        </Typography>
        <PeriodChoice period={period} choose={(days) => setSearch({ days: String(days) })} />
      </Box>
      <Period period={period} />
      <DeskFigures period={period} />
    </Stack>
  );
};

export default Overview;
