import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { RecordContextProvider, useGetOne } from 'ra-core';
import { CallState, type CallRow } from '../calls/call.tsx';
import { useText } from '../i18n/i18n.ts';
import { useBalanceFacts } from '../people/balance.tsx';
import type { Person } from '../people/person.ts';
import { Related } from '../people/related.tsx';
import type { MoneyRow } from '../shared/forms/decision.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { Money, type Direction } from '../shared/money/money.tsx';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
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

/** The room's user: balance, newest deposits or withdrawals, and newest calls. */
export function PersonAside({ id }: { id: number }) {
  const { data: person, error, refetch } = useGetOne<Person>('people', { id });
  if (!person) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  const isStudent = person.platform === 'student';
  const resource = isStudent ? 'deposits' : 'withdrawals';
  return (
    <RecordContextProvider value={person}>
      <PersonFacts />
      <Related
        resource={resource}
        title={`resources.people.sections.${resource}`}
        cells={moneyCells(resource, isStudent ? 'in' : 'out')}
      />
      <Related
        resource="calls"
        title="resources.people.sections.calls"
        cells={callCells(isStudent ? 'teacher' : 'student')}
      />
    </RecordContextProvider>
  );
}
