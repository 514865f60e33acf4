import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { calls } from '../i18n/texts/calls.ts';
import { useText, type TextName } from '../i18n/i18n.ts';
import { Facts } from '../shared/record/facts.tsx';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { HeadedTable, Section } from '../shared/record/section.tsx';
import { Steps } from '../shared/record/steps.tsx';
import { Time } from '../shared/time/time.tsx';
import { CallState, durationOf, refundedOf, type Call, type CallRow } from './call.tsx';
import { Refund } from './refund.tsx';
import { useRow } from '../shared/record/row.ts';

type FieldName = keyof typeof calls.en.fields & keyof CallRow;

function CallFacts() {
  const call = useRow<Call>();
  const t = useText();
  const field = (name: FieldName) => t(`resources.calls.fields.${name}`);
  const time = (at: string | null) => at !== null && <Time at={at} to="second" />;
  const person = (id: number, name: string) => (
    <RecordLink resource="people" id={id}>
      {name}
    </RecordLink>
  );
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [field('state'), <CallState of={call.state} />],
          [field('call_type'), t(`resources.calls.types.${call.call_type}`)],
          [field('student_name'), person(call.student_id, call.student_name)],
          [field('teacher_name'), person(call.teacher_id, call.teacher_name)],
          [field('created_at'), time(call.created_at)],
          [field('accepted_at'), time(call.accepted_at) || null],
          [field('ended_at'), time(call.ended_at) || null],
          [field('total_duration'), call.total_duration === null ? null : durationOf(call.total_duration)],
          [field('steps'), call.steps],
          [field('total_cost'), <PlainMoney amount={call.total_cost} />],
          [field('refunded'), <PlainMoney amount={refundedOf(call)} />],
          [field('identifier'), call.identifier],
        ]}
      />
    </Card>
  );
}

interface RowsProps {
  title: TextName;
  heads: TextName[];
  rows: ReactNode[][];
}

function Rows({ title, heads, rows }: RowsProps) {
  const t = useText();
  return (
    <Section title={t(title)}>
      {rows.length === 0 ? (
        <Typography color="textSecondary">{t('resources.calls.none')}</Typography>
      ) : (
        <HeadedTable label={t(title)} heads={heads.map((head) => t(head))} rows={rows} />
      )}
    </Section>
  );
}

function Timeline() {
  const { timeline } = useRow<Call>();
  const t = useText();
  return (
    <Section title={t('resources.calls.sections.timeline')}>
      <Steps of={timeline.map(({ event, at }) => [t(`resources.calls.events.${event}`), at])} />
    </Section>
  );
}

function Charges() {
  const { charges } = useRow<Call>();
  return (
    <Rows
      title="resources.calls.sections.charges"
      heads={(['step', 'amount', 'commission', 'ref', 'at'] as const).map(
        (name): TextName => `resources.calls.charge.${name}`,
      )}
      rows={charges.map(({ step, amount, commission, ref, created_at }) => [
        step,
        <PlainMoney amount={amount} />,
        <PlainMoney amount={commission} />,
        ref,
        <Time at={created_at} to="second" />,
      ])}
    />
  );
}

function Refunds() {
  const { refunds } = useRow<Call>();
  return (
    <Rows
      title="resources.calls.sections.refunds"
      heads={(['back', 'ref', 'at'] as const).map((name): TextName => `resources.calls.charge.${name}`)}
      rows={refunds.map(({ amount, ref, created_at }) => [
        <PlainMoney amount={amount} />,
        ref,
        <Time at={created_at} to="second" />,
      ])}
    />
  );
}

export function CallPage() {
  const t = useText();
  return (
    <RecordPage<Call>
      title={({ student_name: student, teacher_name: teacher }) => t('resources.calls.title', { student, teacher })}
      actions={<Refund />}
    >
      <CallFacts />
      <Timeline />
      <Charges />
      <Refunds />
    </RecordPage>
  );
}
