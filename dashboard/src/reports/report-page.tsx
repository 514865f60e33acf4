import Card from '@mui/material/Card';
import Link from '@mui/material/Link';
import { RecordContextProvider, useGetOne } from 'ra-core';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import type { Person } from '../people/person.ts';
import { PersonActions } from '../people/person-actions.tsx';
import { Action } from '../shared/forms/action.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { Field } from '../shared/forms/field.tsx';
import { listOf, RecordLink } from '../shared/record/record-link.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { RecordPage } from '../shared/record/record-page.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import type { Report } from './report.ts';
import { useRow } from '../shared/record/row.ts';

/** The reported call, or the user's calls for a reported chat room, whose messages administrators cannot read. */
function Context() {
  const { identifier, room_uuid: room, user } = useRow<Report>();
  const t = useText();
  const { canDo } = useRights();
  if (identifier !== null)
    return (
      <RecordLink resource="calls" id={identifier}>
        {identifier}
      </RecordLink>
    );
  if (room === null) return '–';
  return (
    <>
      {t('resources.reports.room', { room })}{' '}
      {canDo('calls', 'list') && (
        <Link component={RouterLink} to={listOf('calls', { user_id: user.id })}>
          {t('resources.reports.calls', { name: user.name })}
        </Link>
      )}
    </>
  );
}

function ReportFacts() {
  const report = useRow<Report>();
  const t = useText();
  const person = ({ id, name }: Report['user']) => (
    <RecordLink resource="people" id={id}>
      {name === '' ? `#${id}` : name}
    </RecordLink>
  );
  return (
    <Facts
      of={[
        [t('resources.reports.fields.user'), person(report.user)],
        [t('resources.reports.fields.reporter'), person(report.reporter)],
        [t('resources.reports.occasion'), <Context />],
        [t('resources.reports.fields.reason'), t(`resources.reports.reasons.${report.reason}`)],
        [t('resources.reports.fields.details'), report.details],
        [t('resources.reports.fields.created_at'), <Time at={report.created_at} />],
        [t('resources.reports.fields.status'), <Status of={report.status} />],
        [t('resources.reports.fields.note'), report.note],
      ]}
    />
  );
}

function Decide({ status }: { status: Report['status'] }) {
  const report = useRow<Report>();
  const t = useText();
  return (
    <Action
      label={t(`resources.reports.decisions.${status}`)}
      title={t(`resources.reports.questions.${status}`, { name: report.user.name })}
      done={t('states.saved')}
      run={(provider, { note }) =>
        provider.update('reports', { id: report.id, data: { status, note }, previousData: report })
      }
      button={status === 'resolved' ? { variant: 'contained' } : {}}
    >
      <Field
        name="note"
        label={t('resources.reports.fields.note')}
        hint={t('resources.reports.noteHint')}
        defaultValue={report.note}
        multiline
        minRows={2}
        autoFocus
      />
    </Action>
  );
}

const BAN = ['ban', 'unban'] as const;

/** Bans or unbans the reported user. Not shown if the account is deleted. */
function Ban() {
  const { id, user } = useRow<Report>();
  const t = useText();
  const enabled = useRights().canDo('people', 'update');
  const { data: person } = useGetOne<Person>('people', { id: user.id }, { enabled });
  if (!person) return null;
  return (
    <RecordContextProvider value={person}>
      <PersonActions of={BAN} reason={t('resources.reports.title', { id })} />
    </RecordContextProvider>
  );
}

const STATUSES = ['resolved', 'rejected', 'open'] as const;

function Decisions() {
  const report = useRow<Report>();
  return (
    <>
      {STATUSES.filter((status) => status !== report.status).map((status) => (
        <Decide key={status} status={status} />
      ))}
      <Ban />
    </>
  );
}

export function ReportPage() {
  const t = useText();
  return (
    <RecordPage<Report> title={({ id }) => t('resources.reports.title', { id })} actions={<Decisions />}>
      <Card sx={{ padding: 2, marginTop: 2 }}>
        <ReportFacts />
      </Card>
    </RecordPage>
  );
}
