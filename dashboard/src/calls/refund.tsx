import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Actions } from '../shared/forms/action.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { useCurrency } from '../shared/queries/currency.ts';
import { Field } from '../shared/forms/field.tsx';
import { NumberField } from '../shared/forms/number-field.tsx';
import { useSubmissionState, type Fields } from '../shared/forms/submission.ts';
import { fractionDigits } from '../shared/money/fraction-digits.ts';
import { formatMoney } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import { refundedOf, type Call } from './call.tsx';
import { useRow } from '../shared/record/row.ts';

interface RefundAmountProps {
  /** In the currency's smallest unit. */
  left: number;
  currency: string;
}

/** The amount to refund: a number, which is repeated in words, or explicitly the whole rest. */
function RefundAmount({ left, currency }: RefundAmountProps) {
  const t = useText();
  const region = useRegion();
  const { isRunning } = useSubmissionState();
  const [extent, setExtent] = useState('part');
  const choices = [
    ['part', t('resources.calls.refund.part')],
    ['all', t('resources.calls.refund.all', { left: formatMoney(left, currency, region) })],
  ] as const;
  return (
    <>
      <RadioGroup
        name="extent"
        aria-label={t('resources.calls.refund.extent')}
        value={extent}
        onChange={(_event, chosen) => setExtent(chosen)}
        sx={{ marginTop: 1 }}
      >
        {choices.map(([value, label]) => (
          <FormControlLabel
            key={value}
            value={value}
            label={label}
            disabled={isRunning}
            control={<Radio size="small" />}
          />
        ))}
      </RadioGroup>
      {extent === 'all' ? (
        <Amount amount={left} currency={currency} />
      ) : (
        <NumberField
          name="amount"
          label={t('resources.calls.refund.amount')}
          fractionDigits={fractionDigits(currency)}
          repeat={(amount) => amount > 0 && <Amount amount={amount} currency={currency} />}
          autoFocus
        />
      )}
    </>
  );
}

/** Refunds a call's charges to the student. */
export function Refund() {
  const call = useRow<Call>();
  const t = useText();
  const region = useRegion();
  // Every charge has a payment, so the currency of a refundable call is always known.
  const currency = useCurrency();
  const { can } = useRights();
  const left = call.charges.reduce((sum, { amount }) => sum + amount, 0) - refundedOf(call);
  if (!can('POST /api/admin/calls/{identifier}/refund') || currency === undefined) return null;

  const refund = (provider: ServerProvider, fields: Fields, key: string) => {
    const amount = fields['extent'] === 'all' ? left : Number(fields['amount']);
    const reason = fields['reason']?.trim() ?? '';
    return provider.request((client) =>
      client.POST('/api/admin/calls/{identifier}/refund', {
        params: { path: { identifier: call.identifier }, header: { 'Idempotency-Key': key } },
        body: { amount, ...(reason !== '' && { reason }) },
      }),
    );
  };
  const names = { student: call.student_name, teacher: call.teacher_name };
  const leftWritten = formatMoney(left, currency, region);
  const action = {
    label: t('resources.calls.refund.label'),
    title: t('resources.calls.refund.title', names),
    run: refund,
    done: t('resources.calls.refund.done'),
    children: (
      <>
        {t('resources.calls.refund.meaning', { ...names, left: leftWritten })}
        <RefundAmount left={left} currency={currency} />
        <Field
          name="reason"
          label={t('resources.calls.refund.reason')}
          hint={t('resources.calls.refund.reasonHint')}
          multiline
          minRows={2}
        />
      </>
    ),
  };
  return (
    <>
      <Typography variant="body2" sx={{ alignSelf: 'center' }}>
        {t('resources.calls.refund.left')}: {leftWritten}
      </Typography>
      <Actions of={left > 0 ? [action] : []} />
    </>
  );
}
