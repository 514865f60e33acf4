import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import BackIcon from '@mui/icons-material/ArrowBackOutlined';
import { useRef, useState } from 'react';
import { useDataProvider } from 'ra-core';
import { Link, Navigate, useParams } from 'react-router-dom';
import type { ServerProvider } from '../data-provider.ts';
import { useRegion } from '../i18n/region.ts';
import { atFileField, FileField } from '../shared/forms/file-field.tsx';
import { FormCard } from '../shared/forms/form-card.tsx';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { pathOf } from '../shared/record/record-link.tsx';
import type { Results } from './payout.ts';
import { Verdicts, type Applied } from './verdicts.tsx';
import { usePayoutText } from './words.ts';

interface UploadProps {
  id: string;
  show: (results: Results) => void;
}

function Upload({ id, show }: UploadProps) {
  const word = usePayoutText();
  const provider = useDataProvider<ServerProvider>();
  const file = useRef<File>(undefined);
  const read = async () => {
    if (!file.current) return;
    const { name } = file.current;
    show(await atFileField(provider.upload('/api/admin/payout-batches/{id}/results', file.current, { name, id })));
  };
  return (
    <FormCard title={word('results.upload')} submit={word('results.read')} run={read}>
      <Typography color="textSecondary">{word('results.meaning')}</Typography>
      <FileField
        label={word('results.file')}
        hint={word('results.fileHint')}
        required={word('results.needsFile')}
        tooLarge={word('results.tooLarge')}
        accept=".csv,.txt,text/csv,text/plain"
        choose={(chosen) => (file.current = chosen)}
      />
    </FormCard>
  );
}

function Reading({ id }: { id: string }) {
  const word = usePayoutText();
  const region = useRegion();
  const number = (count: number) => count.toLocaleString(region);
  const [results, setResults] = useState<Results>();
  const [applied, setApplied] = useState<Applied>();
  useUnsaved(() => results !== undefined && applied === undefined);
  const show = (found: Results) => {
    setApplied(undefined);
    setResults(found);
  };
  return (
    <>
      <Upload id={id} show={show} />
      {applied && (
        <Card sx={{ marginTop: 2 }}>
          <Alert
            severity="success"
            action={
              <Button component={Link} to={pathOf('payouts', id)} color="inherit" size="small">
                {word('results.back')}
              </Button>
            }
          >
            {word('results.applied', { applied: number(applied.applied), skipped: number(applied.skipped) })}
          </Alert>
        </Card>
      )}
      {results && (
        <Verdicts
          key={results.import_id}
          id={id}
          results={results}
          isApplied={applied !== undefined}
          done={setApplied}
        />
      )}
    </>
  );
}

/** The results of a bank or operator: read first, then applied. */
export function ResultsPage() {
  const word = usePayoutText();
  const { id = '' } = useParams();
  const { can } = useRights();
  if (!can('POST /api/admin/payout-batches/{id}/results')) return <Navigate to="/access-denied" replace />;
  const title = word('results.title', { id });
  return (
    <Box sx={{ marginY: 2 }}>
      <PageTitle title={title} />
      <Button component={Link} to={pathOf('payouts', id)} size="small" startIcon={<BackIcon />}>
        {word('results.back')}
      </Button>
      <Typography variant="h5" component="p" sx={{ marginY: 1 }}>
        {title}
      </Typography>
      <Reading key={id} id={id} />
    </Box>
  );
}
