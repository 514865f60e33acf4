import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import ResultsIcon from '@mui/icons-material/FactCheckOutlined';
import { Link } from 'react-router-dom';
import type { payouts } from '../i18n/texts/payouts.ts';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { Actions } from '../shared/forms/action.tsx';
import { Money } from '../shared/money/money.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { Facts } from '../shared/record/facts.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { useRow } from '../shared/record/row.ts';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { Download } from './download.tsx';
import { Items } from './items.tsx';
import { LivePayouts } from './live-payouts.tsx';
import { resultsPath, type Batch } from './payout.ts';
import { StateBar } from './state-bar.tsx';
import { useBatchSteps } from './steps.tsx';
import { usePayoutText } from './words.ts';

function BatchFacts() {
  const batch = useRow<Batch>();
  const t = useText();
  const word = usePayoutText();
  const region = useRegion();
  const field = (name: keyof typeof payouts.en.fields) => t(`resources.payouts.fields.${name}`);
  const time = (at: string | null) => at !== null && <Time at={at} />;
  const { file } = batch;
  const size = (bytes: number) =>
    new Intl.NumberFormat(region, { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [field('amount'), <Money amount={batch.amount} currency={batch.currency} />],
          [field('count'), batch.count.toLocaleString(region)],
          [field('status'), <Status of={batch.status} />],
          [field('format'), t(`resources.payouts.formats.${batch.format}`)],
          [field('created_by'), batch.created_by.name],
          [field('needs_approval'), word(`approval.${batch.needs_approval ? 'needed' : 'notNeeded'}`)],
          [field('approved_by'), batch.approved_by?.name],
          [field('approved_at'), time(batch.approved_at)],
          [field('exported_at'), time(batch.exported_at)],
          [field('closed_at'), time(batch.closed_at)],
          [field('note'), batch.note],
          [field('file'), file && word('bytes', { name: file.name, size: size(file.bytes) })],
          ...(file ? [[field('sha256'), file.sha256] satisfies [string, string]] : []),
          [field('created_at'), <Time at={batch.created_at} />],
          [field('updated_at'), <Time at={batch.updated_at} />],
        ]}
      />
    </Card>
  );
}

function BatchActions() {
  const batch = useRow<Batch>();
  const word = usePayoutText();
  const { can, has } = useRights();
  const steps = useBatchSteps(batch);
  const hasFile = batch.file !== null && batch.format !== 'provider';
  return (
    <>
      {hasFile && can('GET /api/admin/payout-batches/{id}/file') && has('contacts') && <Download of={batch} />}
      {hasFile && can('POST /api/admin/payout-batches/{id}/results') && (
        <Button component={Link} to={resultsPath(batch.id)} size="small" variant="outlined" startIcon={<ResultsIcon />}>
          {word('results.open')}
        </Button>
      )}
      <Actions of={steps} />
    </>
  );
}

export function BatchPage() {
  const t = useText();
  return (
    <RecordPage<Batch> title={({ id }) => t('resources.payouts.title', { id })} actions={<BatchActions />}>
      <LivePayouts />
      <BatchFacts />
      <StateBar />
      <Items />
    </RecordPage>
  );
}
