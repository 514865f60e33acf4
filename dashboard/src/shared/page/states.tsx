import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import InboxIcon from '@mui/icons-material/InboxOutlined';
import { useTranslate } from 'ra-core';
import { useText } from '../../i18n/i18n.ts';

/* Loading, empty and error states of a page. */

const centred = { display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 2, padding: 6 } as const;

export function Loading() {
  const t = useText();
  return (
    <Box sx={centred} role="status" aria-label={t('states.loading')}>
      <CircularProgress aria-hidden />
    </Box>
  );
}

export function Empty({ text }: { text?: string }) {
  const t = useText();
  return (
    <Box sx={centred}>
      <InboxIcon color="disabled" fontSize="large" />
      <Typography color="textSecondary">{text ?? t('states.empty')}</Typography>
    </Box>
  );
}

/** An error message, with a button if `retry` is given. */
export function Failure({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const t = useText();
  const translate = useTranslate();
  const sentence = error instanceof Error && error.message !== '' ? translate(error.message) : t('states.failed');
  const button = retry && (
    <Button color="inherit" size="small" onClick={() => void retry()}>
      {t('states.again')}
    </Button>
  );
  return (
    <Alert severity="error" action={button} sx={{ margin: 2 }}>
      {sentence}
    </Alert>
  );
}
