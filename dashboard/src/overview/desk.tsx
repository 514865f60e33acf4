import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Grid from '@mui/material/Grid';
import Typography from '@mui/material/Typography';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { POLL_MS } from '../live/waiting.ts';
import { Failure } from '../shared/page/states.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { durationInWords } from '../shared/time/duration.ts';
import { span, type Period } from './period.ts';

const NONE = '–';

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <Grid size={{ xs: 6, sm: 4, lg: 'grow' }}>
      <Card sx={{ height: '100%' }}>
        <CardContent>
          <Typography variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography variant="h5" component="p" sx={{ fontSize: { xs: '1.05rem', sm: '1.5rem' } }}>
            {value}
          </Typography>
        </CardContent>
      </Card>
    </Grid>
  );
}

/** The cases now: how many are open, and the longest wait in seconds. */
function useDeskNow() {
  const options = { everyMs: POLL_MS };
  const counts = useApiQuery(['desk', 'counts'], (client) => client.GET('/api/admin/desk/counts'), options);
  const body = { state: 'open', pageItems: 1 } as const;
  const longest = useApiQuery(
    ['desk', 'longest'],
    (client) => client.POST('/api/admin/desk/casesall', { body }),
    options,
  );
  const since = longest.data?.data[0]?.waiting_since;
  // Fetched again often enough for minutes.
  const wait = since ? Math.max(0, (longest.dataUpdatedAt - Date.parse(since)) / 1_000) : null;
  return { open: counts.data?.open, wait };
}

function Figures({ period }: { period: Period }) {
  const t = useText();
  const region = useRegion();
  const { open, wait } = useDeskNow();
  const query = span(period, 0);
  const { data, error, refetch } = useApiQuery(['desk', 'stats', query], (client) =>
    client.GET('/api/admin/desk/stats', { params: { query } }),
  );
  if (error) return <Failure error={error} retry={refetch} />;
  const duration = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? NONE : durationInWords(seconds, region);
  const score =
    data && data.score !== '' ? Number(data.score).toLocaleString(region, { minimumFractionDigits: 1 }) : NONE;
  return (
    <Grid container spacing={2}>
      <Figure name={t('overviewPage.desk.open')} value={open?.toLocaleString(region) ?? NONE} />
      <Figure name={t('overviewPage.desk.longest')} value={duration(wait)} />
      <Figure name={t('overviewPage.desk.firstReply')} value={duration(data?.first_reply.median)} />
      <Figure name={t('overviewPage.desk.resolution')} value={duration(data?.resolution.median)} />
      <Figure name={t('overviewPage.desk.score')} value={score} />
    </Grid>
  );
}

/** The desk: its cases now, and its figures of the period. Nothing without the right. */
export function DeskFigures({ period }: { period: Period }) {
  const t = useText();
  const { can } = useRights();
  if (!can('GET /api/admin/desk/stats')) return null;
  return (
    <>
      <Typography variant="h6" component="h2">
        {t('overviewPage.desk.title', { days: period })}
      </Typography>
      <Figures period={period} />
    </>
  );
}
