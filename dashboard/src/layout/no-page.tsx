import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { PageTitle } from '../shared/page/page-title.tsx';

/** Shown for an unknown address, and for a page that the level does not allow. `title` and `message` are text keys. */
export function NoPage({ title, message }: { title: string; message: string }) {
  const translate = useTranslate();
  const t = useText();
  return (
    <Box sx={{ padding: 6, textAlign: 'center' }}>
      <PageTitle title={translate(title)} />
      <Typography variant="h5" component="h2" gutterBottom>
        {translate(title)}
      </Typography>
      <Typography gutterBottom>{translate(message)}</Typography>
      <Button component={Link} to="/" variant="outlined" sx={{ marginTop: 2 }}>
        {t('overview')}
      </Button>
    </Box>
  );
}
