import type { ReactNode } from 'react';
import type { RaRecord } from 'ra-core';
import { CallState, type CallRow } from '../calls/call.tsx';
import { useText, type TextName } from '../i18n/i18n.ts';
import type { RowOf } from '../data/bindings.ts';
import { Source } from '../payments/source.tsx';
import type { MoneyRow } from '../shared/record/decision.tsx';
import { Money, type Direction } from '../shared/money/money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RelatedRows } from '../shared/record/related-rows.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import type { Person } from './person.ts';
import { useRow } from '../shared/record/row.ts';

interface RelatedProps<Row> {
  resource: string;
  title: TextName;
  cells: (row: Row) => ReactNode[];
}

/** The newest rows of a resource for the person of the record context. Nothing without the right. */
export const Related = <Row extends RaRecord>(props: RelatedProps<Row>) => (
  <RelatedRows {...props} filter={{ user_id: useRow<Person>().id }} />
);

export function Statement() {
  const t = useText();
  const cells = (row: RowOf<'payments'>) => [
    <Time at={row.created_at} />,
    <Money amount={row.amount} currency={row.currency} direction={row.direction} />,
    <Source of={row} />,
    t(`resources.payments.directions.${row.direction}`),
    <Status of={row.status} />,
  ];
  return <Related resource="payments" title="resources.people.sections.payments" cells={cells} />;
}

const moneyCells = (resource: string, direction: Direction) => (row: MoneyRow) => [
  <RecordLink resource={resource} id={row.id}>
    <Time at={row.created_at} />
  </RecordLink>,
  <Money amount={row.amount} currency={row.currency} direction={direction} />,
  <Status of={row.status} />,
  row.method ?? '–',
];

export const Deposits = () => (
  <Related resource="deposits" title="resources.people.sections.deposits" cells={moneyCells('deposits', 'in')} />
);

export const Withdrawals = () => (
  <Related
    resource="withdrawals"
    title="resources.people.sections.withdrawals"
    cells={moneyCells('withdrawals', 'out')}
  />
);

export function Calls() {
  const t = useText();
  const { platform } = useRow<Person>();
  const cells = (row: CallRow) => [
    <RecordLink resource="calls" id={row.identifier}>
      <Time at={row.created_at} />
    </RecordLink>,
    platform === 'student' ? (
      <RecordLink resource="people" id={row.teacher_id}>
        {row.teacher_name}
      </RecordLink>
    ) : (
      <RecordLink resource="people" id={row.student_id}>
        {row.student_name}
      </RecordLink>
    ),
    t(`resources.calls.types.${row.call_type}`),
    <CallState of={row.state} />,
  ];
  return <Related resource="calls" title="resources.people.sections.calls" cells={cells} />;
}

export function Reports() {
  const t = useText();
  const cells = (row: RowOf<'reports'>) => [
    <RecordLink resource="reports" id={row.id}>
      <Time at={row.created_at} />
    </RecordLink>,
    <RecordLink resource="people" id={row.reporter.id}>
      {row.reporter.name}
    </RecordLink>,
    [t(`resources.reports.reasons.${row.reason}`), row.details].filter(Boolean).join(': '),
    <Status of={row.status} />,
  ];
  return <Related resource="reports" title="resources.people.sections.reports" cells={cells} />;
}
