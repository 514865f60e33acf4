import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { useState } from 'react';
import { Notification } from 'ra-ui-materialui';
import { Navigate } from 'react-router-dom';
import { session } from '../server/current-session.ts';
import { Recovery } from './recovery.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn() {
  const [isRecovering, setRecovering] = useState(false);
  const [email, setEmail] = useState('');
  // Checked only once: after a sign-in, react-admin returns to the page on which the session ended.
  const [isSignedIn] = useState(() => session.token() !== undefined);
  if (isSignedIn) return <Navigate to="/" replace />;
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100dvh', padding: 2 }}>
      <Card sx={{ width: 380, maxWidth: '100%', padding: 4 }}>
        {isRecovering ? (
          <Recovery email={email} leave={() => setRecovering(false)} />
        ) : (
          <SignInForm
            email={email}
            recover={(typed) => {
              setEmail(typed);
              setRecovering(true);
            }}
          />
        )}
      </Card>
      <Notification />
    </Box>
  );
}
