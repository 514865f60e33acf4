import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useGetIdentity } from 'ra-core';
import { Column } from '../shared/lists/column.tsx';
import type { RowOf } from '../data/bindings.ts';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { Field } from '../shared/forms/field.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { useRow } from '../shared/record/row.ts';
import { Invitations } from './invitations.tsx';
import { ChangeRoles, RoleNames, RolesField, rolesIn, withoutRoles } from './roles.tsx';

type Row = RowOf<'administrators'>;

/** An unknown level, from a later server version, is shown as it is. */
function Level({ of }: { of: string }) {
  const t = useText();
  return of === 'su' || of === 'default' ? t(`resources.administrators.levels.${of}`) : of;
}

function Create() {
  const t = useText();
  const label = (name: 'name' | 'email' | 'phone_number' | 'password') => t(`resources.administrators.fields.${name}`);
  return (
    <Action
      label={t('resources.administrators.create')}
      title={t('resources.administrators.create')}
      done={t('resources.administrators.created')}
      run={(provider, fields) =>
        provider.create('administrators', { data: { ...withoutRoles(fields), roles: rolesIn(fields) } })
      }
      button={{ variant: 'outlined' }}
    >
      <Field name="name" label={label('name')} autoFocus autoComplete="off" />
      <Field name="email" label={label('email')} type="email" autoComplete="off" />
      <Field name="phone_number" label={label('phone_number')} type="tel" autoComplete="off" />
      <Field
        name="password"
        label={label('password')}
        type="password"
        autoComplete="new-password"
        hint={t('resources.administrators.passwordHint')}
      />
      <RolesField given={['all']} />
    </Action>
  );
}

/** Activates or deactivates an administrator. */
function ActivationAction() {
  const { id, name, status } = useRow<Row>();
  const t = useText();
  const [action, next] =
    status === 'active' ? (['deactivate', 'inactive'] as const) : (['activate', 'active'] as const);
  return (
    <Action
      label={t(`resources.administrators.${action}.button`)}
      title={t(`resources.administrators.${action}.question`, { name })}
      done={t('states.saved')}
      run={(provider) => provider.update('administrators', { id, data: { status: next }, previousData: { id } })}
      button={{ color: action === 'deactivate' ? 'error' : 'primary' }}
    >
      {t(`resources.administrators.${action}.meaning`)}
    </Action>
  );
}

/** The roles, last sign-in and second factor of the row's administrator. */
function useAccess() {
  const { id } = useRow<Row>();
  const { data } = useApiQuery(['administrators', 'access'], (client) => client.GET('/api/admin/admins/access'));
  return data?.find((access) => access.id === id);
}

/** A super administrator has every right and needs no roles. */
function Roles() {
  const { level } = useRow<Row>();
  const t = useText();
  const access = useAccess();
  if (!access) return '–';
  return level === 'su' ? t('resources.administrators.everyRight') : <RoleNames of={access.roles} />;
}

/** Not offered for one's own account. */
function RowActions() {
  const { id, name, level } = useRow<Row>();
  const { identity } = useGetIdentity();
  const { canDo, can } = useRights();
  const access = useAccess();
  if (identity === undefined || identity.id === id) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'flex-end' }}>
      {access && level !== 'su' && can('PUT /api/admin/admins/{id}/roles') && (
        <ChangeRoles id={id} name={name} roles={access.roles} />
      )}
      {canDo('administrators', 'update') && <ActivationAction />}
    </Box>
  );
}

function LastSignIn() {
  const t = useText();
  const access = useAccess();
  if (!access) return '–';
  return access.last_login_at === null ? t('resources.administrators.never') : <Time at={access.last_login_at} />;
}

function SecondFactor() {
  const t = useText();
  const access = useAccess();
  return access ? t(`resources.administrators.secondFactor.${access.totp ? 'on' : 'off'}`) : '–';
}

function AdministratorList() {
  const t = useText();
  const { can, canDo } = useRights();
  const isAccessShown = can('GET /api/admin/admins/access');
  return (
    <>
      <Listing actions={canDo('administrators', 'create') && <Create />}>
        <Table
          card={['name status', 'email level', 'roles', 'phone_number', 'last_login_at', 'totp', 'actions']}
          named={['roles', 'last_login_at', 'totp']}
        >
          <Column source="name" />
          <Column source="email" />
          <Column source="phone_number" />
          <Column source="level" render={({ level }: Row) => <Level of={level} />} />
          {isAccessShown && <Column disableSort source="roles" children={<Roles />} />}
          <Column source="status" render={({ status }: Row) => <Status of={status} />} />
          <Column source="created_at" render={({ created_at: at }: Row) => at !== null && <Time at={at} />} />
          {isAccessShown && <Column disableSort source="last_login_at" children={<LastSignIn />} />}
          {isAccessShown && <Column disableSort source="totp" children={<SecondFactor />} />}
          {canDo('administrators', 'update') && <Column disableSort source="actions" children={<RowActions />} />}
        </Table>
      </Listing>
      <Invitations />
      <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1, overflowWrap: 'anywhere' }}>
        {t('resources.administrators.levelMeaning')} <code>npm run admin -- promote|demote &lt;e-mail&gt;</code>
      </Typography>
    </>
  );
}

export default { list: AdministratorList } satisfies Pages;
