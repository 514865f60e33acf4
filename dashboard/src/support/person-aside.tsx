import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { RecordContextProvider, useGetOne } from 'ra-core';
import { BookingStatus, type Booking } from '../bookings/booking.tsx';
import { CallState, type CallRow } from '../calls/call.tsx';
import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';
import { useBalanceFacts } from '../people/balance.tsx';
import type { Person } from '../people/person.ts';
import { Related } from '../people/related.tsx';
import type { MoneyRow } from '../shared/record/decision.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { Money, type Direction } from '../shared/money/money.tsx';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { Failure, Loading } from '../shared/page/states.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { useRow } from '../shared/record/row.ts';

/** A whole row in one cell, which wraps when narrow. */
const inOne = (link: ReactNode, at: string, state: ReactNode) => [
  <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 1 }}>
    {link}
    {state}
    <Typography variant="caption" color="textSecondary">
      <Time at={at} />
    </Typography>
  </Box>,
];

const moneyCells = (resource: string, direction: Direction) => (row: MoneyRow) =>
  inOne(
    <RecordLink resource={resource} id={row.id}>
      <Money amount={row.amount} currency={row.currency} direction={direction} />
    </RecordLink>,
    row.created_at,
    <Status of={row.status} />,
  );

/** The other participant, and the cost. */
const callCells = (other: 'student' | 'teacher') => (row: CallRow) =>
  inOne(
    <RecordLink resource="calls" id={row.identifier}>
      <bdi>{row[`${other}_name`]}</bdi>: <PlainMoney amount={row.total_cost} />
    </RecordLink>,
    row.created_at,
    <CallState of={row.state} />,
  );

/** The other participant, and the start of the lesson. */
const bookingCells = (other: 'student' | 'teacher') => (row: Booking) =>
  inOne(
    <RecordLink resource="people" id={row[`${other}_id`]}>
      {row[`${other}_name`]}
    </RecordLink>,
    row.starts_at,
    <BookingStatus of={row.status} />,
  );

/** The reason. The report's page says who has reported whom. */
function useReportCells() {
  const t = useText();
  return (row: RowOf<'reports'>) =>
    inOne(
      <RecordLink resource="reports" id={row.id}>
        {t(`resources.reports.reasons.${row.reason}`)}
      </RecordLink>,
      row.created_at,
      <Status of={row.status} />,
    );
}

function PersonFacts() {
  const person = useRow<Person>();
  const t = useText();
  return (
    <Facts
      of={[
        ...useBalanceFacts(person),
        [t('resources.people.fields.platform'), t(`resources.people.platforms.${person.platform}`)],
        [t('resources.people.fields.status'), <Status of={person.status} />],
      ]}
    />
  );
}

/** The room's user: balance, and the newest money, bookings, calls and reports. Nothing without the right. */
export function PersonAside({ id }: { id: number }) {
  const { canDo } = useRights();
  return canDo('people', 'get') && <ReadablePerson id={id} />;
}

function ReadablePerson({ id }: { id: number }) {
  const reportCells = useReportCells();
  const { data: person, error, refetch } = useGetOne<Person>('people', { id });
  if (!person) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  const isStudent = person.platform === 'student';
  const resource = isStudent ? 'deposits' : 'withdrawals';
  const other = isStudent ? 'teacher' : 'student';
  return (
    <RecordContextProvider value={person}>
      <PersonFacts />
      <Related
        resource={resource}
        title={`resources.people.sections.${resource}`}
        cells={moneyCells(resource, isStudent ? 'in' : 'out')}
      />
      <Related resource="bookings" title="resources.people.sections.bookings" cells={bookingCells(other)} />
      <Related resource="calls" title="resources.people.sections.calls" cells={callCells(other)} />
      <Related resource="reports" title="resources.people.sections.reports" cells={reportCells} />
    </RecordContextProvider>
  );
}
