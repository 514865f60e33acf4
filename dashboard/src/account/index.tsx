import Stack from '@mui/material/Stack';
import { useDataProvider, useGetIdentity, useNotify } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Field } from '../shared/field.tsx';
import { FormCard } from '../shared/form-card.tsx';
import { PageTitle } from '../shared/page-title.tsx';
import type { Fields } from '../shared/submission.ts';
import { Loading } from '../shared/states.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Changes the own account; fields that are left empty stay. */
function useChange(said: 'accountPage.saved' | 'accountPage.passwordChanged') {
  const provider = useDataProvider<ServerProvider>();
  const { refetch } = useGetIdentity();
  const notify = useNotify();
  return async (fields: Fields) => {
    const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
    await provider.ask((client) => client.PUT('/api/admin/auth/me', { body }));
    await refetch();
    notify(said, { type: 'success' });
  };
}

const CurrentPassword = ({ isRequired = false }: { isRequired?: boolean }) => {
  const t = useText();
  return (
    <Field
      name="current_password"
      type="password"
      label={t('accountPage.currentPassword')}
      autoComplete="current-password"
      required={isRequired}
    />
  );
};

function Profile({ name, email }: { name: string; email: string }) {
  const t = useText();
  return (
    <FormCard title={t('accountPage.profile')} submit={t('accountPage.save')} run={useChange('accountPage.saved')}>
      <Field name="name" label={t('accountPage.name')} defaultValue={name} autoComplete="name" required />
      <Field
        name="email"
        type="email"
        label={t('accountPage.email')}
        defaultValue={email}
        hint={t('accountPage.emailHint')}
        autoComplete="email"
        required
      />
      <CurrentPassword />
    </FormCard>
  );
}

function Password({ email }: { email: string }) {
  const t = useText();
  return (
    <FormCard
      title={t('accountPage.password')}
      submit={t('accountPage.changePassword')}
      run={useChange('accountPage.passwordChanged')}
    >
      {/* Tells password managers whose password it is; without a name it is not sent. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <CurrentPassword isRequired />
      <Field
        name="password"
        type="password"
        label={t('accountPage.newPassword')}
        autoComplete="new-password"
        required
      />
    </FormCard>
  );
}

const Account = () => {
  const t = useText();
  const { identity } = useGetIdentity();
  if (!identity) return <Loading />;
  return (
    <Stack spacing={2} sx={{ paddingY: 2, maxWidth: 560 }}>
      <PageTitle title={t('accountPage.title')} />
      <Profile
        key={`${identity.fullName} ${String(identity['email'])}`}
        name={identity.fullName ?? ''}
        email={String(identity['email'])}
      />
      <Password email={String(identity['email'])} />
      <SecondFactor />
    </Stack>
  );
};

export default Account;
