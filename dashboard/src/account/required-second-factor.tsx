import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useLogout } from 'ra-core';
import { Notification } from 'ra-ui-materialui';
import { PageTitle } from '../shared/page/page-title.tsx';
import { reload } from '../shared/page/reload.ts';
import { SecondFactor } from './second-factor.tsx';
import { useWords } from './words.ts';

/** Shown instead of every page while the server refuses everything but the setup of a second factor. */
export function RequiredSecondFactor() {
  const t = useWords();
  const logout = useLogout();
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
      <Stack spacing={2} sx={{ width: 560, maxWidth: '100%' }}>
        <PageTitle title={t('required')} />
        <Typography variant="h5" component="h1">
          {t('required')}
        </Typography>
        <Typography>{t('requiredMeaning')}</Typography>
        {/* A reload opens the stream of live events, which was refused until now. */}
        <SecondFactor leave={reload} />
        <Button onClick={() => void logout()}>{t('signOut')}</Button>
      </Stack>
      <Notification />
    </Box>
  );
}
