import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import Rating from '@mui/material/Rating';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { idOf } from '../data/binding.ts';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { Action } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { Section } from '../shared/record/section.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time, writtenTime } from '../shared/time/time.tsx';
import { useApplyCase } from './case-queries.ts';
import type { Case, CaseDetail, State } from './case.ts';

type Event = CaseDetail['timeline'][number];

/** The labels in a text, separated by commas. */
const labelsIn = (text: string) =>
  text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');

/** Edits subject and labels. Refused if another administrator has changed the case meanwhile. */
function Edit({ of }: { of: Case }) {
  const t = useText();
  const applyCase = useApplyCase();
  return (
    <Action
      label={t('resources.support.edit.button')}
      title={t('resources.support.edit.button')}
      done={t('states.saved')}
      button={{ variant: 'text' }}
      run={async (provider, { subject = '', labels = '' }) => {
        const body = { subject: subject.trim(), labels: labelsIn(labels), expected_version: of.version };
        applyCase(
          await provider.request((client) => client.PUT('/api/admin/desk/cases/{id}', { ...idOf(of.id), body })),
        );
      }}
    >
      <Field
        name="subject"
        label={t('resources.support.edit.subject')}
        defaultValue={of.subject}
        multiline
        maxRows={4}
        autoFocus
      />
      <Field
        name="labels"
        label={t('resources.support.edit.labels')}
        hint={t('resources.support.edit.labelsHint')}
        defaultValue={of.labels.join(', ')}
        autoComplete="off"
      />
    </Action>
  );
}

function Rated({ of: { score, comment } }: { of: NonNullable<Case['rating']> }) {
  const t = useText();
  return (
    <>
      <Rating value={score} readOnly size="small" getLabelText={() => t('resources.support.case.score', { score })} />
      {comment !== null && comment !== '' && (
        <Typography variant="body2" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
          {comment}
        </Typography>
      )}
    </>
  );
}

function CaseFacts({ of }: { of: Case }) {
  const t = useText();
  const time = (at: string | null) => at !== null && <Time at={at} />;
  const facts: [label: string, value: ReactNode][] = [
    [t('resources.support.case.subject'), of.subject],
    [t('resources.support.case.assignee'), of.assignee?.name ?? t('resources.support.nobody')],
    [t('resources.support.case.opened'), time(of.created_at)],
    ...(of.waiting_since === null
      ? []
      : [[t('resources.support.case.waitingSince'), time(of.waiting_since)] as [string, ReactNode]]),
    [t('resources.support.case.firstReply'), time(of.first_reply_at)],
    ...(of.resolved_at === null
      ? []
      : [[t('resources.support.case.resolved'), time(of.resolved_at)] as [string, ReactNode]]),
    [t('resources.support.case.reopened'), String(of.reopened)],
    [t('resources.support.case.rating'), of.rating && <Rated of={of.rating} />],
  ];
  return <Facts of={facts} />;
}

/** A line of the timeline in words. */
function useEventWords() {
  const t = useText();
  const region = useRegion();
  return ({ event, from, to }: Event): string => {
    if (event === 'assigned')
      return to === null
        ? t('resources.support.timeline.unassigned', { from: from ?? '' })
        : t('resources.support.timeline.assigned', { to });
    if (event === 'snoozed')
      return to === null
        ? t('resources.support.timeline.snoozedByMessage')
        : t('resources.support.timeline.snoozed', { to: writtenTime(to, region) });
    if (event === 'state') return t('resources.support.timeline.state', { to: t(`status.${(to ?? 'open') as State}`) });
    if (event === 'labels')
      return to === null || to === ''
        ? t('resources.support.timeline.noLabels')
        : t('resources.support.timeline.labels', { to });
    return t(`resources.support.timeline.${event}`, { to: to ?? '' });
  };
}

function Timeline({ of }: { of: Event[] }) {
  const t = useText();
  const words = useEventWords();
  return (
    <Section title={t('resources.support.case.timeline')}>
      <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {of.map((line, index) => (
          <Box component="li" key={index} sx={{ paddingY: 0.5 }}>
            <Typography variant="body2" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {words(line)}
            </Typography>
            <Typography variant="caption" color="textSecondary" component="p">
              {line.by && (
                <>
                  <bdi>{line.by.name}</bdi> ·{' '}
                </>
              )}
              <Time at={line.at} />
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}

function Others({ of }: { of: Case[] }) {
  const t = useText();
  return (
    <Section title={t('resources.support.case.others')}>
      {of.length === 0 && <Typography color="textSecondary">{t('resources.people.none')}</Typography>}
      {of.map((other) => (
        <Box key={other.id} sx={{ paddingY: 0.5 }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
            <Link component={RouterLink} to={`/support/${other.id}`} variant="body2" noWrap dir="auto">
              {other.subject === '' ? t('resources.support.case.title', { id: other.id }) : other.subject}
            </Link>
            <Status of={other.state} />
          </Box>
          <Typography variant="caption" color="textSecondary" component="p">
            <Time at={other.created_at} to="day" />
          </Typography>
        </Box>
      ))}
    </Section>
  );
}

/** What is known about a case: subject, labels and times. */
export function CaseAside({ of }: { of: Case }) {
  const t = useText();
  return (
    <Box component="section" sx={{ marginBottom: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {t('resources.support.case.title', { id: of.id })}
      </Typography>
      <CaseFacts of={of} />
      {of.labels.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, marginTop: 1 }}>
          {of.labels.map((label) => (
            <Chip key={label} size="small" label={label} dir="auto" />
          ))}
        </Box>
      )}
      <Box sx={{ marginTop: 1 }}>
        <Edit of={of} />
      </Box>
    </Box>
  );
}

/** The timeline of a case, and the person's other cases. */
export function CaseHistory({ of }: { of: CaseDetail }) {
  return (
    <>
      <Timeline of={of.timeline} />
      <Others of={of.others} />
    </>
  );
}
