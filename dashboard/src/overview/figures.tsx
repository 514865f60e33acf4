import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Grid from '@mui/material/Grid';
import Typography from '@mui/material/Typography';
import { useText, type TextName } from '../i18n/i18n.ts';
import { useCurrency } from '../shared/queries/currency.ts';
import { formatMoney } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import { changeOf, meanOf, sumOf } from './period.ts';
import type { Column, Day } from './day.ts';

interface Figure {
  name: TextName;
  columns: Column[];
  isMoney?: true;
  /** The mean over the period's reviews instead of a sum. */
  isMean?: true;
}

const FIGURES: Figure[] = [
  { name: 'overviewPage.newPeople', columns: ['new_students', 'new_teachers'] },
  { name: 'overviewPage.deposits', columns: ['deposits'], isMoney: true },
  { name: 'overviewPage.withdrawals', columns: ['withdrawals'], isMoney: true },
  { name: 'overviewPage.charged', columns: ['charged'], isMoney: true },
  { name: 'overviewPage.commission', columns: ['commission'], isMoney: true },
  { name: 'overviewPage.calls', columns: ['calls'] },
  { name: 'overviewPage.minutes', columns: ['minutes'] },
  { name: 'overviewPage.messages', columns: ['messages'] },
  { name: 'overviewPage.confirmedBookings', columns: ['confirmed_bookings'] },
  { name: 'overviewPage.missedBookings', columns: ['missed_bookings'] },
  { name: 'overviewPage.reviews', columns: ['reviews'] },
  { name: 'overviewPage.meanRating', columns: ['rating'], isMean: true },
];

function Change({ now, before }: { now: number | undefined; before: number | undefined }) {
  const t = useText();
  const region = useRegion();
  const percent = changeOf(now, before);
  const format = new Intl.NumberFormat(region, { style: 'percent', signDisplay: 'exceptZero' });
  return (
    <Typography variant="body2" color="textSecondary">
      {percent === undefined ? now !== undefined && t('overviewPage.nothingBefore') : format.format(percent / 100)}
    </Typography>
  );
}

function FigureCard({ figure, days, before }: FigureProps) {
  const t = useText();
  const region = useRegion();
  const currency = useCurrency();
  const total = (of: Day[]) => (figure.isMean ? meanOf(of) : sumOf(of, figure.columns));
  const [now, earlier] = [total(days), total(before)];
  const written = (value: number) =>
    figure.isMoney && currency !== undefined
      ? formatMoney(value, currency, region)
      : value.toLocaleString(region, { maximumFractionDigits: 1 });
  return (
    <Card sx={{ height: '100%' }}>
      <CardContent>
        <Typography variant="body2" color="textSecondary">
          {t(figure.name)}
        </Typography>
        <Typography variant="h5" component="p" sx={{ fontSize: { xs: '1.05rem', sm: '1.5rem' } }}>
          {now === undefined ? '–' : written(now)}
        </Typography>
        <Change now={now} before={earlier} />
      </CardContent>
    </Card>
  );
}

interface FiguresProps {
  days: Day[];
  before: Day[];
}
type FigureProps = FiguresProps & { figure: Figure };

/** The period's totals, each with its change from the previous period. */
export function Figures(props: FiguresProps) {
  return (
    <Grid container spacing={2}>
      {FIGURES.map((figure) => (
        <Grid key={figure.name} size={{ xs: 6, md: 3 }}>
          <FigureCard figure={figure} {...props} />
        </Grid>
      ))}
    </Grid>
  );
}
