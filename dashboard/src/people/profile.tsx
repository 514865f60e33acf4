import Avatar from '@mui/material/Avatar';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import { DisputesOf } from '../disputes/related.tsx';
import { useText } from '../i18n/i18n.ts';
import { RefundsOf } from '../refunds/related.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { useBalanceFacts } from './balance.tsx';
import type { Person, WholePerson } from './person.ts';
import { Bookings, Reviews } from './lessons.tsx';
import { Calls, Deposits, Reports, Statement, Withdrawals } from './related.tsx';
import { PersonActions } from './person-actions.tsx';
import { SupportRoom } from './support-room.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { useRow } from '../shared/record/row.ts';
import { AccountsOf } from '../withdrawals/accounts-of.tsx';

/** A photo on another host is not loaded: it would reveal the administrator's visit, and the policy forbids it. */
function photoOf({ photo }: Person): string | undefined {
  const path = URL.parse(photo)?.pathname;
  return path?.startsWith('/api/') ? path : undefined;
}

/** Optional fields that people fill in themselves. Empty ones are not shown. */
const OPTIONAL_FIELDS = [
  ...([
    'address',
    'city',
    'country',
    'level_study',
    'subjects_interest',
    'domains',
    'experience',
    'availability',
  ] as const),
  ...(['about_me', 'bio'] as const),
];

function PersonFacts() {
  const person = useRow<WholePerson>();
  const t = useText();
  const balance = useBalanceFacts(person);
  const field = (name: keyof Omit<WholePerson, 'photo' | 'plan_id' | 'banned'>) => t(`resources.people.fields.${name}`);
  const { isMasked } = useRights();
  const contact = (name: 'email' | 'phone_number') =>
    isMasked('GET /api/admin/users/{id}', name) ? t('masked', { field: field(name) }) : field(name);
  const { banned } = person;
  const banFacts: [string, ReactNode][] = banned
    ? [
        [t('resources.people.ban.by'), banned.by.name],
        [t('resources.people.ban.at'), <Time at={banned.at} />],
        [t('resources.people.ban.reason'), banned.reason],
      ]
    : [];
  const verified = t(`resources.people.verifications.${person.verified === '1' ? 'true' : 'false'}`);
  const facts: [string, ReactNode][] = [
    ...balance,
    [field('status'), <Status of={person.status} />],
    ...banFacts,
    [field('platform'), t(`resources.people.platforms.${person.platform}`)],
    ...(person.platform === 'teacher' ? [[field('verified'), verified] satisfies [string, ReactNode]] : []),
    [contact('email'), person.email],
    [contact('phone_number'), person.phone_number],
    [field('id'), person.id],
    [field('gauth_type'), t(`resources.people.signIns.${person.gauth_type}`)],
    [field('created_at'), <Time at={person.created_at} />],
    [field('updated_at'), <Time at={person.updated_at} />],
    ...OPTIONAL_FIELDS.filter((name) => Boolean(person[name])).map((name): [string, ReactNode] => [
      field(name),
      person[name],
    ]),
  ];
  return (
    <Card sx={{ padding: 2, marginTop: 2, display: 'flex', gap: 2, flexDirection: { xs: 'column', md: 'row' } }}>
      <Avatar src={photoOf(person)} alt="" sx={{ width: 72, height: 72 }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Facts of={facts} />
      </Box>
    </Card>
  );
}

function Money() {
  const { id, platform } = useRow<Person>();
  if (platform === 'teacher')
    return (
      <>
        <Withdrawals />
        <AccountsOf user={id} />
      </>
    );
  return (
    <>
      <Deposits />
      <DisputesOf user={id} title="resources.people.sections.disputes" />
      <RefundsOf user={id} title="resources.people.sections.refunds" />
    </>
  );
}

/** Everything about a person on one page. */
export const Profile = () => (
  <RecordPage<WholePerson> title={({ name }) => name} actions={<PersonActions />}>
    <PersonFacts />
    <Statement />
    <Money />
    <Calls />
    <Bookings />
    <Reviews />
    <SupportRoom />
    <Reports />
  </RecordPage>
);
