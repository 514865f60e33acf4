import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import BackIcon from '@mui/icons-material/ArrowBackOutlined';
import type { ReactNode } from 'react';
import { RecordContextProvider, useResourceContext, useShowController, useTranslate, type RaRecord } from 'ra-core';
import { Link } from 'react-router-dom';
import { useText } from '../../i18n/i18n.ts';
import { Refusal } from '../../server/server.ts';
import { PageTitle } from '../page/page-title.tsx';
import { Failure, Loading } from '../page/states.tsx';

export interface RecordPageProps<Row> {
  title: (row: Row) => string;
  /** Buttons shown beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The page of one record, by the id in the address. Its children get the record from `useRow`. */
export function RecordPage<Row extends RaRecord>({ title, actions, children }: RecordPageProps<Row>) {
  const resource = useResourceContext();
  const t = useText();
  const translate = useTranslate();
  const { record, isPending, error, refetch } = useShowController<Row>({
    // Errors are shown here instead of redirecting to the list. `meta` changes the query key: react-admin caches list
    // rows under the key of a plain getOne, but rows lack some fields of the record.
    queryOptions: { onError: () => undefined, meta: { isWhole: true } },
  });
  const shown = () => {
    if (record)
      return (
        <RecordContextProvider value={record}>
          <Titled title={title(record)} actions={actions} />
          {children}
        </RecordContextProvider>
      );
    if (isPending) return <Loading />;
    const isUnknown = error instanceof Refusal && error.status === 404;
    return (
      <Card>
        <PageTitle title={translate(`resources.${resource}.name`, { smart_count: 2 })} />
        {isUnknown ? <Failure error={new Error('states.unknown')} /> : <Failure error={error} retry={refetch} />}
      </Card>
    );
  };
  return (
    <Box sx={{ marginY: 2 }}>
      <Button component={Link} to={`/${resource}`} size="small" startIcon={<BackIcon />} sx={{ marginBottom: 1 }}>
        {t('states.back')}
      </Button>
      {shown()}
    </Box>
  );
}

function Titled({ title, actions }: { title: string; actions: ReactNode }) {
  return (
    <>
      <PageTitle title={title} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'center', gap: 1 }}>
        <Typography variant="h5" component="p" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>{actions}</Box>
      </Box>
    </>
  );
}
