import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip, { type ChipProps } from '@mui/material/Chip';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { paths } from '@tutoring/client/schema';
import type { PayloadOf } from '../server/server.ts';
import { idOf } from '../data/binding.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { Section, SmallTable } from '../shared/record/section.tsx';
import { Time } from '../shared/time/time.tsx';
import { RoleNames, RolesField, rolesIn } from './roles.tsx';

type Listed = paths['/api/admin/invitations']['get']['responses'][200]['content']['application/json'];
type Invitation = PayloadOf<Listed>[number];

const COLOURS: Record<Invitation['status'], ChipProps['color']> = {
  open: 'warning',
  accepted: 'success',
  expired: 'default',
  withdrawn: 'default',
};

/** How many invitations are shown at first, and with each press of the button. */
const STEP = 20;

const HEADS = ['name', 'email', 'roles', 'status', 'invitedBy', 'expiresAt', 'actions'] as const;

/** Mails an invitation. */
function Invite() {
  const t = useText();
  return (
    <Action
      label={t('resources.administrators.invite.button')}
      title={t('resources.administrators.invite.button')}
      done={t('resources.administrators.invite.done')}
      run={(provider, fields, key) => {
        const { name = '', email = '' } = fields;
        const body = { name, email, roles: rolesIn(fields) };
        const params = { header: { 'Idempotency-Key': key } };
        return provider.request((client) => client.POST('/api/admin/invitations', { params, body }));
      }}
      button={{ variant: 'contained' }}
    >
      {t('resources.administrators.invite.meaning')}
      <Field name="name" label={t('resources.administrators.fields.name')} autoFocus autoComplete="off" />
      <Field name="email" label={t('resources.administrators.fields.email')} type="email" autoComplete="off" />
      <RolesField given={[]} />
    </Action>
  );
}

/** Sends an open invitation again, or withdraws it. */
function Decisions({ of: { id, email, name } }: { of: Invitation }) {
  const t = useText();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <Action
        label={t('resources.administrators.resend.button')}
        title={t('resources.administrators.resend.title', { name })}
        done={t('resources.administrators.resend.done')}
        run={(provider) => provider.request((client) => client.POST('/api/admin/invitations/{id}/resend', idOf(id)))}
      >
        {t('resources.administrators.resend.meaning', { email })}
      </Action>
      <Action
        label={t('resources.administrators.withdraw.button')}
        title={t('resources.administrators.withdraw.title', { name })}
        done={t('resources.administrators.withdraw.done')}
        run={(provider) => provider.request((client) => client.DELETE('/api/admin/invitations/{id}', idOf(id)))}
        button={{ color: 'error' }}
      >
        {t('resources.administrators.withdraw.meaning')}
      </Action>
    </Box>
  );
}

function Row({ of }: { of: Invitation }) {
  const t = useText();
  const cells = {
    name: of.name,
    email: of.email,
    roles: <RoleNames of={of.roles} />,
    status: (
      <Chip
        size="small"
        variant="outlined"
        color={COLOURS[of.status] ?? 'default'}
        label={t(`resources.administrators.invitationStatuses.${of.status}`)}
      />
    ),
    invitedBy: of.invited_by.name,
    expiresAt: <Time at={of.expires_at} />,
    actions: of.status === 'open' && <Decisions of={of} />,
  };
  const isNamed = (head: keyof typeof cells) => ['roles', 'invitedBy', 'expiresAt'].includes(head);
  return (
    <TableRow>
      {HEADS.map((head) => (
        <TableCell
          key={head}
          dir="auto"
          sx={{ overflowWrap: head === 'email' ? 'anywhere' : 'break-word' }}
          {...(isNamed(head) && { 'data-name': t(`resources.administrators.fields.${head}`) })}
        >
          {cells[head]}
        </TableCell>
      ))}
    </TableRow>
  );
}

function Rows({ of }: { of: Invitation[] }) {
  const t = useText();
  const [shown, setShown] = useState(STEP);
  if (of.length === 0)
    return <Typography color="textSecondary">{t('resources.administrators.noInvitations')}</Typography>;
  return (
    <>
      <SmallTable label={t('resources.administrators.invitations')}>
        <TableHead>
          <TableRow>
            {HEADS.map((head) => (
              <TableCell key={head}>{t(`resources.administrators.fields.${head}`)}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {of.slice(0, shown).map((invitation) => (
            <Row key={invitation.id} of={invitation} />
          ))}
        </TableBody>
      </SmallTable>
      {of.length > shown && (
        <Button size="small" onClick={() => setShown(shown + STEP)}>
          {t('resources.administrators.moreInvitations')}
        </Button>
      )}
    </>
  );
}

/** The invitations, newest first. Nothing without the right. */
export function Invitations() {
  const t = useText();
  const { can } = useRights();
  const { data, error, refetch } = useApiQuery(['invitations'], (client) => client.GET('/api/admin/invitations'));
  if (!can('GET /api/admin/invitations')) return null;
  return (
    <Section title={t('resources.administrators.invitations')} aside={can('POST /api/admin/invitations') && <Invite />}>
      {error !== null && <Failure error={error} retry={refetch} />}
      {data ? <Rows of={data} /> : error === null && <Loading />}
    </Section>
  );
}
