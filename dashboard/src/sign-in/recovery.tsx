import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useNotify } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Field } from '../shared/forms/field.tsx';
import { PageTitle } from '../shared/page/page-title.tsx';
import { SubmissionProvider, useSubmission } from '../shared/forms/submission.ts';

/** Password reset with a code by e-mail: first asks for the address, then for the code and the new password. */
export function Recovery({ email, leave }: { email: string; leave: () => void }) {
  const t = useText();
  const provider = useDataProvider<ServerProvider>();
  const notify = useNotify();
  const [sentTo, setSentTo] = useState<string>();
  const { submit, ...state } = useSubmission(async ({ email: address = '', code = '', password = '' }) => {
    if (sentTo === undefined) {
      const body = { email: address };
      await provider.request((client) => client.POST('/api/admin/auth/reset-password-send-code', { body }));
      setSentTo(address);
      return;
    }
    const body = { email: sentTo, code, password };
    await provider.request((client) => client.POST('/api/admin/auth/reset-password', { body }));
    notify('signIn.passwordSet', { type: 'success' });
    leave();
  });
  return (
    <form onSubmit={submit}>
      <PageTitle title={t('signIn.recovery')} />
      <Typography variant="h5" component="h1" gutterBottom>
        {t('signIn.recovery')}
      </Typography>
      {state.refusal !== undefined && <Alert severity="error">{state.refusal}</Alert>}
      {sentTo !== undefined && state.refusal === undefined && <Alert severity="info">{t('signIn.codeSent')}</Alert>}
      <SubmissionProvider value={state}>
        {sentTo === undefined ? (
          <Field
            name="email"
            type="email"
            label={t('signIn.email')}
            autoComplete="username"
            defaultValue={email}
            required
          />
        ) : (
          <>
            <Field name="code" label={t('signIn.code')} autoComplete="one-time-code" required autoFocus />
            <Field
              name="password"
              type="password"
              label={t('signIn.newPassword')}
              autoComplete="new-password"
              required
            />
          </>
        )}
      </SubmissionProvider>
      <Button type="submit" variant="contained" fullWidth size="large" loading={state.isRunning} sx={{ marginTop: 2 }}>
        {t(sentTo === undefined ? 'signIn.sendCode' : 'signIn.setPassword')}
      </Button>
      <Button fullWidth onClick={leave} sx={{ marginTop: 1 }}>
        {t('signIn.back')}
      </Button>
    </form>
  );
}
