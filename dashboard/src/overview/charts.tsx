import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Grid from '@mui/material/Grid';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { useText, type TextName } from '../i18n/i18n.ts';
import { useCurrency } from '../shared/queries/currency.ts';
import { formatMoney } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import type { Column, Day } from './day.ts';

interface Chart {
  title: TextName;
  columns: { column: Column; name: TextName; axis?: 'right' }[];
  isMoney?: true;
}

const CHARTS: Chart[] = [
  {
    title: 'overviewPage.people',
    columns: [
      { column: 'new_students', name: 'overviewPage.newStudents' },
      { column: 'new_teachers', name: 'overviewPage.newTeachers' },
    ],
  },
  {
    title: 'overviewPage.money',
    columns: [
      { column: 'deposits', name: 'overviewPage.deposits' },
      { column: 'withdrawals', name: 'overviewPage.withdrawals' },
      { column: 'charged', name: 'overviewPage.charged' },
    ],
    isMoney: true,
  },
  {
    title: 'overviewPage.callsAndMinutes',
    columns: [
      { column: 'calls', name: 'overviewPage.calls' },
      { column: 'minutes', name: 'overviewPage.minutes', axis: 'right' },
    ],
  },
  { title: 'overviewPage.messages', columns: [{ column: 'messages', name: 'overviewPage.messages' }] },
];

/** The colours of a chart's lines. Without colour vision, the order in legend and tooltip identifies them. */
function useColours(): string[] {
  const { palette } = useTheme();
  return [palette.primary.main, palette.warning.main, palette.success.main];
}

function DailyChart({ days, chart }: { days: Day[]; chart: Chart }) {
  const t = useText();
  const region = useRegion();
  const currency = useCurrency();
  const colors = useColours();
  const day = new Intl.DateTimeFormat(region, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const compact = new Intl.NumberFormat(region, { notation: 'compact' });
  const written = (value: number | null) =>
    chart.isMoney && currency !== undefined
      ? formatMoney(value ?? 0, currency, region)
      : (value ?? 0).toLocaleString(region);
  const hasRight = chart.columns.some(({ axis }) => axis === 'right');
  const valueFormatter = (value: number) => compact.format(value);
  return (
    <LineChart
      height={250}
      colors={colors}
      skipAnimation
      grid={{ horizontal: true }}
      margin={{ left: 0, right: hasRight ? 0 : 28, bottom: 0 }}
      xAxis={[
        {
          data: days.map(({ date }) => new Date(date)),
          scaleType: 'time',
          valueFormatter: (date: Date) => day.format(date),
          tickNumber: 6,
        },
      ]}
      yAxis={[
        { id: 'left', min: 0, tickNumber: 4, tickMinStep: 1, valueFormatter },
        ...(hasRight
          ? [{ id: 'right', position: 'right' as const, min: 0, tickNumber: 4, tickMinStep: 1, valueFormatter }]
          : []),
      ]}
      series={chart.columns.map(({ column, name, axis }) => ({
        data: days.map((row) => row[column]),
        label: t(name),
        yAxisId: axis ?? 'left',
        showMark: false,
        curve: 'linear' as const,
        valueFormatter: written,
      }))}
    />
  );
}

export function Charts({ days }: { days: Day[] }) {
  const t = useText();
  return (
    <Grid container spacing={2}>
      {CHARTS.map((chart) => (
        <Grid key={chart.title} size={{ xs: 12, md: 6 }}>
          <Card component="section" aria-label={t(chart.title)}>
            <CardContent>
              <Typography variant="subtitle1" component="h2" sx={{ fontWeight: 600 }}>
                {t(chart.title)}
              </Typography>
              <DailyChart days={days} chart={chart} />
            </CardContent>
          </Card>
        </Grid>
      ))}
    </Grid>
  );
}
