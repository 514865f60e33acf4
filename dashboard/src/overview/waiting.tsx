import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import CardContent from '@mui/material/CardContent';
import Grid from '@mui/material/Grid';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router-dom';
import { useText, type TextName } from '../i18n/i18n.ts';
import { POLL_MS, MAX_ROOMS, useWaiting } from '../live/waiting.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { listOf } from '../shared/record/record-link.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { useRegion } from '../i18n/region.ts';

interface WaitingProps {
  name: TextName;
  count: number | undefined;
  /** The largest possible count. It is shown with a plus sign. */
  most?: number;
  to: string;
}

function Waiting({ name, count, most, to }: WaitingProps) {
  const t = useText();
  const isUrgent = count !== undefined && count > 0;
  return (
    <Grid size={{ xs: 6, md: 3 }}>
      <Card sx={{ height: '100%' }}>
        <CardActionArea component={Link} to={to} sx={{ height: '100%' }}>
          <CardContent>
            <Typography variant="h4" component="p" color={isUrgent ? 'warning' : 'textSecondary'}>
              {count ?? '–'}
              {count !== undefined && count === most && '+'}
            </Typography>
            <Typography variant="body2">{t(name)}</Typography>
          </CardContent>
        </CardActionArea>
      </Card>
    </Grid>
  );
}

/** One line with the numbers of students, teachers and active calls. */
export function Totals() {
  const t = useText();
  const { data } = useApiQuery(['stats'], (client) => client.GET('/api/admin/stats'), { everyMs: POLL_MS });
  const region = useRegion();
  if (!data) return null;
  const counts = [
    ['students', data.students],
    ['teachers', data.teachers],
    ['activeCalls', data.calls.active],
  ] as const;
  const texts = counts.map(([name, count]) =>
    t(`overviewPage.totals.${name}`, { smart_count: count, count: count.toLocaleString(region) }),
  );
  return <Typography color="textSecondary">{texts.join(', ')}</Typography>;
}

/** Whether the administrator may see any list with items that need attention. */
export function useHasWaiting(): boolean {
  const { can, canDo } = useRights();
  return (
    (['withdrawals', 'payouts', 'disputes', 'refunds', 'breaks', 'reports'] as const).some((name) =>
      canDo(name, 'list'),
    ) || can('GET /api/admin/rooms')
  );
}

/** The counts of items that need attention, each as a link to its list, for the lists that the administrator may see. */
export function WaitingList() {
  const { initiated, claimed, drafts, uncertain, disputes, refunds, breaks, rooms, reports } = useWaiting();
  const { can, canDo } = useRights();
  const withdrawals = (status: string) => listOf('withdrawals', { status });
  return (
    <Grid container spacing={2}>
      {canDo('withdrawals', 'list') && (
        <>
          <Waiting name="overviewPage.openWithdrawals" count={initiated} to={withdrawals('initiated')} />
          <Waiting name="overviewPage.claimedWithdrawals" count={claimed} to={withdrawals('pending')} />
        </>
      )}
      {canDo('payouts', 'list') && (
        <>
          <Waiting name="overviewPage.draftBatches" count={drafts} to={listOf('payouts', { status: 'draft' })} />
          <Waiting
            name="overviewPage.uncertainPayouts"
            count={uncertain}
            to={listOf('payouts', { status: 'exported' })}
          />
        </>
      )}
      {canDo('disputes', 'list') && (
        <Waiting name="overviewPage.dueDisputes" count={disputes} to={listOf('disputes', { status: 'due' })} />
      )}
      {canDo('refunds', 'list') && (
        <Waiting name="overviewPage.requestedRefunds" count={refunds} to={listOf('refunds', { status: 'requested' })} />
      )}
      {canDo('breaks', 'list') && (
        <Waiting name="overviewPage.openBreaks" count={breaks} to={listOf('breaks', { status: 'open' })} />
      )}
      {can('GET /api/admin/rooms') && (
        <Waiting name="overviewPage.unanswered" count={rooms} most={MAX_ROOMS} to="/support" />
      )}
      {canDo('reports', 'list') && (
        <Waiting name="overviewPage.openReports" count={reports} to={listOf('reports', { status: 'open' })} />
      )}
    </Grid>
  );
}
