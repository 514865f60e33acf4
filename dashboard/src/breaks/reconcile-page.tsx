import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import BackIcon from '@mui/icons-material/ArrowBackOutlined';
import { useRef, useState } from 'react';
import type { paths } from '@tutoring/client/schema';
import { useDataProvider } from 'ra-core';
import { Link as RouterLink, Navigate } from 'react-router-dom';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import type { PayloadOf } from '../server/server.ts';
import { Field } from '../shared/forms/field.tsx';
import { atFileField, FileField } from '../shared/forms/file-field.tsx';
import { FormCard } from '../shared/forms/form-card.tsx';
import type { Fields } from '../shared/forms/submission.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { Facts } from '../shared/record/facts.tsx';
import { listOf } from '../shared/record/record-link.tsx';
import { Section } from '../shared/record/section.tsx';
import { Time } from '../shared/time/time.tsx';
import { usePayoutText } from '../payouts/words.ts';
import { useReconciliationText } from './words.ts';

type Answer = paths['/api/admin/reconciliations']['post']['responses'][200]['content']['application/json'];
type Reconciliation = PayloadOf<Answer>;

function Outcome({ of: { rows, matched, breaks, created_at: at } }: { of: Reconciliation }) {
  const word = useReconciliationText();
  const region = useRegion();
  const link = (
    <Link component={RouterLink} to={listOf('breaks', { status: 'open' })} variant="body2">
      {word('open')}
    </Link>
  );
  return (
    <Section title={word('outcome')} aside={link}>
      <div role="status">
        <Facts
          of={[
            [word('rows'), rows.toLocaleString(region)],
            [word('matched'), matched.toLocaleString(region)],
            [word('breaks'), breaks.toLocaleString(region)],
            [word('at'), <Time at={at} />],
          ]}
        />
      </div>
    </Section>
  );
}

function Report({ show }: { show: (outcome: Reconciliation) => void }) {
  const t = useText();
  const word = useReconciliationText();
  const payoutWord = usePayoutText();
  const provider = useDataProvider<ServerProvider>();
  const file = useRef<File>(undefined);
  const compare = async ({ provider: of = '', from = '', to = '' }: Fields) => {
    if (!file.current) return;
    const given = { name: file.current.name, provider: of, from, to };
    show(await atFileField(provider.upload('/api/admin/reconciliations', file.current, given)));
  };
  const day = (name: 'from' | 'to') => (
    <Field
      name={name}
      type="date"
      label={t(`filters.${name}`)}
      slotProps={{ inputLabel: { shrink: true, required: false } }}
    />
  );
  return (
    <FormCard title={word('form')} submit={word('submit')} run={compare}>
      <Typography color="textSecondary">{word('meaning')}</Typography>
      <FileField
        label={payoutWord('results.file')}
        hint={payoutWord('results.fileHint')}
        required={payoutWord('results.needsFile')}
        tooLarge={payoutWord('results.tooLarge')}
        accept=".csv,.txt,text/csv,text/plain"
        choose={(chosen) => (file.current = chosen)}
      />
      <Field
        name="provider"
        label={t('resources.breaks.fields.provider')}
        hint={word('providerHint')}
        read={(typed) => ({ value: typed.trim().toLowerCase() })}
        autoComplete="off"
      />
      {day('from')}
      {day('to')}
    </FormCard>
  );
}

/** Compares the report of a provider with the ledger. */
export function ReconcilePage() {
  const t = useText();
  const word = useReconciliationText();
  const { can } = useRights();
  const [outcome, setOutcome] = useState<Reconciliation>();
  if (!can('POST /api/admin/reconciliations')) return <Navigate to="/access-denied" replace />;
  return (
    <Box sx={{ marginY: 2 }}>
      <PageTitle title={word('title')} />
      <Button component={RouterLink} to="/breaks" size="small" startIcon={<BackIcon />} sx={{ marginBottom: 1 }}>
        {t('states.back')}
      </Button>
      <Report show={setOutcome} />
      {outcome && <Outcome key={outcome.id} of={outcome} />}
    </Box>
  );
}
