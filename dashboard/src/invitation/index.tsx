import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useDataProvider, useLogout } from 'ra-core';
import { Link, useLocation } from 'react-router-dom';
import type { ServerProvider } from '../data-provider.ts';
import { session } from '../server/current-session.ts';
import { Refusal } from '../server/server.ts';
import { Field } from '../shared/forms/field.tsx';
import { SubmissionProvider, useSubmission } from '../shared/forms/submission.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { useWords } from './words.ts';

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box
      component="main"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        placeItems: 'center',
        minHeight: '100dvh',
        padding: 2,
      }}
    >
      <Card sx={{ width: 440, maxWidth: '100%', padding: { xs: 2, sm: 4 } }}>
        <PageTitle title={title} />
        <Typography variant="h5" component="h1" gutterBottom>
          {title}
        </Typography>
        {children}
      </Card>
    </Box>
  );
}

function Accept({ token, accepted }: { token: string; accepted: () => void }) {
  const t = useWords();
  const provider = useDataProvider<ServerProvider>();
  const { submit, ...state } = useSubmission(async ({ password = '', phone_number = '' }) => {
    const body = { token, password, ...(phone_number.trim() !== '' && { phone_number }) };
    try {
      await provider.request((client) => client.POST('/api/admin/auth/invitations/accept', { body }));
    } catch (error) {
      // The server says the same for every invitation that cannot be accepted.
      if (error instanceof Refusal && error.status === 404) throw new Refusal(t('over'), error.status);
      throw error;
    }
    accepted();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Typography gutterBottom>{t('meaning')}</Typography>
      {state.refusal !== undefined && <Alert severity="error">{state.refusal}</Alert>}
      <SubmissionProvider value={state}>
        <Field
          name="password"
          type="password"
          label={t('password')}
          hint={t('rules')}
          autoComplete="new-password"
          required
          autoFocus
        />
        <Field name="phone_number" type="tel" label={t('phone')} autoComplete="tel" />
      </SubmissionProvider>
      <Button type="submit" variant="contained" fullWidth size="large" loading={state.isRunning} sx={{ marginTop: 2 }}>
        {t('accept')}
      </Button>
    </form>
  );
}

function Accepted() {
  const t = useWords();
  const logout = useLogout();
  // The session of another administrator is not ended without a question.
  const isOther = session.token() !== undefined;
  return (
    <>
      <Typography gutterBottom>{t('next')}</Typography>
      {isOther && <Alert severity="info">{t('other')}</Alert>}
      {isOther ? (
        <Button variant="contained" fullWidth onClick={() => void logout({}, '/login')} sx={{ marginTop: 2 }}>
          {t('signOut')}
        </Button>
      ) : (
        <Button variant="contained" fullWidth component={Link} to="/login" sx={{ marginTop: 2 }}>
          {t('signIn')}
        </Button>
      )}
    </>
  );
}

/** Accepts an invitation of an administrator. Its token is the fragment of the address. */
export default function Invitation() {
  const t = useWords();
  const { hash } = useLocation();
  const token = hash.slice(1);
  const [isAccepted, setAccepted] = useState(false);
  if (isAccepted)
    return (
      <Frame title={t('done')}>
        <Accepted />
      </Frame>
    );
  return (
    <Frame title={t('title')}>
      {token === '' ? (
        <Alert severity="error">{t('missing')}</Alert>
      ) : (
        <Accept key={token} token={token} accepted={() => setAccepted(true)} />
      )}
    </Frame>
  );
}
