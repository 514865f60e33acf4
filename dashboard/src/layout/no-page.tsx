import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { PageTitle } from '../shared/page/page-title.tsx';
import { useFirstPage } from './permitted.ts';

/** Shown for an unknown address, and for a page without the right. `title` and `message` are text keys. */
export function NoPage({ title, message }: { title: string; message: string }) {
  const translate = useTranslate();
  const first = useFirstPage();
  return (
    <Box sx={{ padding: 6, textAlign: 'center' }}>
      <PageTitle title={translate(title)} />
      <Typography variant="h5" component="h2" gutterBottom>
        {translate(title)}
      </Typography>
      <Typography gutterBottom>{translate(message)}</Typography>
      <Button component={Link} to={first.to} variant="outlined" sx={{ marginTop: 2 }}>
        {first.name}
      </Button>
    </Box>
  );
}

export const AccessDenied = () => <NoPage title="ra.page.access_denied" message="ra.message.access_denied" />;
