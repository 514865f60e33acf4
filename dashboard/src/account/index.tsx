import Stack from '@mui/material/Stack';
import { useDataProvider, useGetIdentity, useNotify } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { Field } from '../shared/forms/field.tsx';
import { FormCard } from '../shared/forms/form-card.tsx';
import { PageTitle } from '../shared/page/page-title.tsx';
import type { Fields } from '../shared/forms/submission.ts';
import { Loading } from '../shared/page/states.tsx';
import { CurrentPassword } from './current-password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { useWords } from './words.ts';

/** Changes the administrator's own account. Empty fields are not sent. */
function useChange(message: 'saved' | 'passwordChanged') {
  const provider = useDataProvider<ServerProvider>();
  const { refetch } = useGetIdentity();
  const notify = useNotify();
  const t = useWords();
  return async (fields: Fields) => {
    const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
    await provider.request((client) => client.PUT('/api/admin/auth/me', { body }));
    await refetch();
    notify(t(message), { type: 'success' });
  };
}

function Profile({ name, email }: { name: string; email: string }) {
  const t = useWords();
  return (
    <FormCard title={t('profile')} submit={t('save')} run={useChange('saved')}>
      <Field name="name" label={t('name')} defaultValue={name} autoComplete="name" required />
      <Field
        name="email"
        type="email"
        label={t('email')}
        defaultValue={email}
        hint={t('emailHint')}
        autoComplete="email"
        required
      />
      <CurrentPassword isRequired={false} />
    </FormCard>
  );
}

function Password({ email }: { email: string }) {
  const t = useWords();
  return (
    <FormCard title={t('password')} submit={t('changePassword')} run={useChange('passwordChanged')}>
      {/* The username for password managers. Without a name it is not submitted. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <CurrentPassword />
      <Field name="password" type="password" label={t('newPassword')} autoComplete="new-password" required />
    </FormCard>
  );
}

const Account = () => {
  const t = useWords();
  const { identity } = useGetIdentity();
  if (!identity) return <Loading />;
  return (
    <Stack spacing={2} sx={{ paddingY: 2, maxWidth: 560 }}>
      <PageTitle title={t('title')} />
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
