import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import EvidenceIcon from '@mui/icons-material/FolderOpenOutlined';
import { Link } from 'react-router-dom';
import { idOf } from '../data/binding.ts';
import type { disputes } from '../i18n/texts/disputes.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { RequiredField } from '../shared/record/decision.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { Money } from '../shared/money/money.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { Facts } from '../shared/record/facts.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { useRow } from '../shared/record/row.ts';
import { Section } from '../shared/record/section.tsx';
import { Status } from '../shared/record/status.tsx';
import { Steps } from '../shared/record/steps.tsx';
import { Time } from '../shared/time/time.tsx';
import { evidencePath, type Dispute } from './dispute.ts';
import { useDisputeWords } from './words.ts';

function DisputeFacts() {
  const row = useRow<Dispute>();
  const t = useText();
  const words = useDisputeWords();
  const field = (name: keyof typeof disputes.en.fields) => t(`resources.disputes.fields.${name}`);
  const money = (amount: number) => <Money amount={amount} currency={row.currency} />;
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [field('amount'), money(row.amount)],
          [field('status'), <Status of={row.status} />],
          [field('evidence_due_at'), row.evidence_due_at !== null && <Time at={row.evidence_due_at} />],
          [field('reason'), words.reason(row.reason)],
          [
            field('user_id'),
            <RecordLink resource="people" id={row.user.id}>
              {row.user.name}
            </RecordLink>,
          ],
          [
            field('deposit_id'),
            <RecordLink resource="deposits" id={row.deposit_id}>
              {row.deposit_id}
            </RecordLink>,
          ],
          [field('taken'), money(row.taken)],
          [field('owed'), money(row.owed)],
          [field('provider'), row.provider],
          [field('provider_ref'), row.provider_ref],
          [field('created_at'), <Time at={row.created_at} />],
          [field('updated_at'), <Time at={row.updated_at} />],
        ]}
      />
    </Card>
  );
}

function Timeline() {
  const { timeline } = useRow<Dispute>();
  const t = useText();
  const words = useDisputeWords();
  return (
    <Section title={t('resources.disputes.timeline')}>
      <Steps of={timeline.map(({ event, at }) => [words.event(event), at])} />
    </Section>
  );
}

function WriteOff() {
  const { id, owed, currency, user } = useRow<Dispute>();
  const t = useText();
  return (
    <Action
      label={t('resources.disputes.writeOff.label')}
      title={t('resources.disputes.writeOff.title', { name: user.name })}
      done={t('resources.disputes.writeOff.done')}
      button={{ color: 'error' }}
      run={(provider, { reason = '' }) =>
        provider.request((client) =>
          client.POST('/api/admin/disputes/{id}/write-off', { ...idOf(id), body: { reason } }),
        )
      }
    >
      <Amount amount={owed} currency={currency} />
      {t('resources.disputes.writeOff.meaning')}
      <RequiredField
        name="reason"
        label={t('resources.disputes.writeOff.reason')}
        hint={t('resources.disputes.writeOff.reasonHint')}
      />
    </Action>
  );
}

function DisputeActions() {
  const { id, owed } = useRow<Dispute>();
  const t = useText();
  const { can } = useRights();
  return (
    <>
      {can('GET /api/admin/disputes/{id}/evidence') && (
        <Button component={Link} to={evidencePath(id)} size="small" variant="contained" startIcon={<EvidenceIcon />}>
          {t('resources.disputes.evidence.open')}
        </Button>
      )}
      {can('POST /api/admin/disputes/{id}/write-off') && owed > 0 && <WriteOff />}
    </>
  );
}

export function DisputePage() {
  const t = useText();
  return (
    <RecordPage<Dispute> title={({ id }) => t('resources.disputes.title', { id })} actions={<DisputeActions />}>
      <DisputeFacts />
      <Timeline />
    </RecordPage>
  );
}
