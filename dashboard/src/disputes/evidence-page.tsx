import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import BackIcon from '@mui/icons-material/ArrowBackOutlined';
import CopyIcon from '@mui/icons-material/ContentCopyOutlined';
import PrintIcon from '@mui/icons-material/PrintOutlined';
import { useNotify } from 'ra-core';
import { Link, useParams } from 'react-router-dom';
import { idOf } from '../data/binding.ts';
import { useText } from '../i18n/i18n.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { pathOf } from '../shared/record/record-link.tsx';
import { HeadedTable, Section } from '../shared/record/section.tsx';
import { useEvidenceParts } from './evidence.ts';
import { evidenceText, type EvidencePart } from './evidence-text.ts';

/** The clipboard needs HTTPS or localhost. Without it the text can still be selected. */
const canCopy = 'clipboard' in navigator;

function Part({ title, facts, heads, rows, none }: EvidencePart) {
  return (
    <Section title={title}>
      <Facts of={facts} />
      {rows.length > 0 && <HeadedTable label={title} heads={heads} rows={rows} />}
      {none !== undefined && <Typography color="textSecondary">{none}</Typography>}
    </Section>
  );
}

function Buttons({ text }: { text: string }) {
  const t = useText();
  const notify = useNotify();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    notify(t('resources.disputes.evidence.copied'), { type: 'success' });
  };
  return (
    <Box sx={{ display: 'flex', gap: 1 }}>
      {canCopy && (
        <Button
          size="small"
          variant="outlined"
          startIcon={<CopyIcon />}
          onClick={() => void copy().catch((error: unknown) => notify(String(error), { type: 'error' }))}
        >
          {t('resources.disputes.evidence.copy')}
        </Button>
      )}
      <Button size="small" variant="outlined" startIcon={<PrintIcon />} onClick={() => window.print()}>
        {t('resources.disputes.evidence.print')}
      </Button>
    </Box>
  );
}

function Evidence({ id, title }: { id: string; title: string }) {
  const t = useText();
  const partsOf = useEvidenceParts();
  const { data, error, refetch } = useApiQuery(['evidence', id], (client) =>
    client.GET('/api/admin/disputes/{id}/evidence', idOf(id)),
  );
  if (error !== null)
    return (
      <Card>
        <Failure error={error} retry={refetch} />
      </Card>
    );
  if (!data) return <Loading />;
  const parts = partsOf(data);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'center', gap: 1 }}>
        <Typography variant="h5" component="p">
          {title}
        </Typography>
        <Buttons text={evidenceText(title, parts)} />
      </Box>
      <Typography color="textSecondary" sx={{ '@media print': { display: 'none' } }}>
        {t('resources.disputes.evidence.meaning')}
      </Typography>
      {parts.map((part) => (
        <Part key={part.title} {...part} />
      ))}
    </>
  );
}

/** What a disputed deposit has bought, to copy or print for the payment provider. */
export function EvidencePage() {
  const t = useText();
  const { id = '' } = useParams();
  const title = t('resources.disputes.evidence.title', { id });
  return (
    <Box sx={{ marginY: 2 }}>
      <PageTitle title={title} />
      <Button
        component={Link}
        to={pathOf('disputes', id)}
        size="small"
        startIcon={<BackIcon />}
        sx={{ marginBottom: 1 }}
      >
        {t('resources.disputes.evidence.back')}
      </Button>
      <Evidence id={id} title={title} />
    </Box>
  );
}
