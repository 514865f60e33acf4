import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Grid from '@mui/material/Grid';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import { Title } from 'ra-ui-materialui';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Failure, Loading } from '../shared/states.tsx';

const Overview = () => {
  const t = useText();
  const provider = useDataProvider<ServerProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ['stats'],
    queryFn: () => provider.ask((client) => client.GET('/api/admin/stats')),
  });
  if (error) return <Failure error={error} again={refetch} />;
  if (!data) return <Loading />;
  return (
    <>
      <Title title={t('overview')} />
      <Grid container spacing={2} sx={{ marginTop: 1 }}>
        {(['students', 'teachers', 'rooms', 'messages'] as const).map((name) => (
          <Grid key={name} size={{ xs: 6, md: 3 }}>
            <Card>
              <CardContent>
                <Typography variant="h4">{data[name]}</Typography>
                <Typography color="textSecondary">{t(`overviewPage.${name}`)}</Typography>
              </CardContent>
            </Card>
          </Grid>
        ))}
      </Grid>
    </>
  );
};

export default Overview;
