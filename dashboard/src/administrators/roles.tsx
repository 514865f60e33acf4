import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslate } from 'ra-core';
import type { Right, Role } from '../data/rights.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { useShownField, useSubmissionState, type Fields } from '../shared/forms/submission.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';

/* Roles of administrators. A role or right of a later server version is shown by its name. */

function useRoleTexts() {
  const translate = useTranslate();
  return {
    nameOf: (role: Role) => translate(`resources.administrators.roles.${role}`, { _: role }),
    rightOf: (right: Right) => translate(`resources.administrators.rights.${right}`, { _: right }),
  };
}

/** The names of roles, in one line. */
export function RoleNames({ of }: { of: Role[] }) {
  const { nameOf } = useRoleTexts();
  return of.map(nameOf).join(', ');
}

const PREFIX = 'role ';

/** The roles that are checked in a submitted form. */
export const rolesIn = (fields: Fields): Role[] =>
  Object.keys(fields)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length) as Role);

/** The fields of a submitted form besides the roles. */
export const withoutRoles = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(PREFIX)));

/** A checkbox for each role, with the rights that it gives. */
export function RolesField({ given }: { given: Role[] }) {
  const t = useText();
  const { nameOf, rightOf } = useRoleTexts();
  const form = useSubmissionState();
  useShownField(form, 'roles');
  const heading = useId();
  const { data: roles = [] } = useApiQuery(['roles'], (client) => client.GET('/api/admin/roles'));
  const error = form.errors['roles'];
  return (
    <Box role="group" aria-labelledby={heading} sx={{ marginTop: 2 }}>
      <Typography id={heading} variant="subtitle2" component="p">
        {t('resources.administrators.fields.roles')}
      </Typography>
      {roles.map(({ name, rights }) => (
        <Box key={name}>
          <FormControlLabel
            disabled={form.isRunning}
            control={<Checkbox size="small" name={`${PREFIX}${name}`} defaultChecked={given.includes(name)} />}
            label={nameOf(name)}
          />
          <Typography variant="caption" component="p" color="textSecondary" sx={{ paddingLeft: 4 }}>
            {rights.map(rightOf).join(', ')}
          </Typography>
        </Box>
      ))}
      {error !== undefined && <FormHelperText error>{t('resources.administrators.roleNeeded')}</FormHelperText>}
    </Box>
  );
}

/** Replaces an administrator's roles. */
export function ChangeRoles({ id, name, roles }: { id: number; name: string; roles: Role[] }) {
  const t = useText();
  return (
    <Action
      label={t('resources.administrators.changeRoles.button')}
      title={t('resources.administrators.changeRoles.title', { name })}
      done={t('states.saved')}
      run={(provider, fields) =>
        provider.request((client) =>
          client.PUT('/api/admin/admins/{id}/roles', {
            params: { path: { id: String(id) } },
            body: { roles: rolesIn(fields) },
          }),
        )
      }
    >
      {t('resources.administrators.changeRoles.meaning')}
      <RolesField given={roles} />
    </Action>
  );
}
