import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useLogin } from 'ra-core';
import type { Credentials } from '../auth-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Refusal } from '../server/server.ts';
import { session } from '../server/current-session.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { Field } from '../shared/forms/field.tsx';
import { SubmissionProvider, useSubmission } from '../shared/forms/submission.ts';

/** The server's status for a correct password with a missing or wrong second factor. */
const NEEDS_CODE = 403;

export function SignInForm({ email, recover }: { email: string; recover: (email: string) => void }) {
  const t = useText();
  const login = useLogin();
  const [typed, setTyped] = useState(email);
  const [needsCode, setNeedsCode] = useState(false);
  const { submit, ...state } = useSubmission(async (fields) => {
    const { email: address = '', password = '', code } = fields;
    try {
      // Returns to the page on which the session ended.
      await login({ email: address, password, ...(code !== undefined && { code }) } satisfies Credentials);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== NEEDS_CODE) throw error;
      setNeedsCode(true);
      throw new Refusal(error.message, error.status, needsCode ? { code: error.message } : {});
    }
  });
  return (
    <form onSubmit={submit}>
      <PageTitle title={t('signIn.title')} />
      <Typography variant="h5" component="h1" gutterBottom>
        {t('signIn.title')}
      </Typography>
      {session.hasEnded() && state.refusal === undefined && <Alert severity="info">{t('signIn.expired')}</Alert>}
      {state.refusal !== undefined && <Alert severity={needsCode ? 'info' : 'error'}>{state.refusal}</Alert>}
      <SubmissionProvider value={state}>
        <Field
          name="email"
          type="email"
          label={t('signIn.email')}
          autoComplete="username"
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Field name="password" type="password" label={t('signIn.password')} autoComplete="current-password" required />
        {needsCode && (
          <Field
            name="code"
            label={t('signIn.code')}
            hint={t('signIn.codeHint')}
            autoComplete="one-time-code"
            required
            autoFocus
          />
        )}
      </SubmissionProvider>
      <Button type="submit" variant="contained" fullWidth size="large" loading={state.isRunning} sx={{ marginTop: 2 }}>
        {t('signIn.submit')}
      </Button>
      <Button fullWidth onClick={() => recover(typed)} sx={{ marginTop: 1 }}>
        {t('signIn.forgot')}
      </Button>
    </form>
  );
}
