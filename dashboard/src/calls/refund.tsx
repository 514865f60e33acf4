import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCanAccess } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Actions } from '../shared/forms/action.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { useCurrency } from '../shared/queries/currency.ts';
import { Field } from '../shared/forms/field.tsx';
import { fractionDigits } from '../shared/money/fraction-digits.ts';
import { formatMoney } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import { refundedOf, type Call } from './call.tsx';
import { useRow } from '../shared/record/row.ts';

/** What is typed, in the currency's smallest unit, as the server counts. NaN for what is no number. */
const amountOf = (text: string, currency: string) =>
  text.trim() === '' ? NaN : Math.round(Number(text) * 10 ** fractionDigits(currency));

/** The amount that goes back, at first all that is left; what is typed is repeated in words. */
function AmountField({ left, currency }: { left: number; currency: string }) {
  const t = useText();
  const digits = fractionDigits(currency);
  const [text, setText] = useState((left / 10 ** digits).toFixed(digits));
  const amount = amountOf(text, currency);
  return (
    <>
      <Field
        name="amount"
        label={t('resources.calls.refund.amount')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { inputMode: 'decimal' }, inputLabel: { required: false } }}
        autoComplete="off"
      />
      {amount > 0 && <Amount amount={amount} currency={currency} />}
    </>
  );
}

/** Gives back what a student was charged for a call. Only for super administrators. */
export function Refund() {
  const call = useRow<Call>();
  const t = useText();
  const region = useRegion();
  // Every charge has a payment, so that whoever can refund knows the currency.
  const currency = useCurrency();
  const { canAccess } = useCanAccess({ resource: 'calls', action: 'refund' });
  const left = call.charges.reduce((sum, { amount }) => sum + amount, 0) - refundedOf(call);
  if (!canAccess || currency === undefined) return null;

  const refund = (provider: ServerProvider, fields: Record<string, string>, key: string) => {
    const amount = amountOf(fields['amount'] ?? '', currency);
    const reason = fields['reason']?.trim() ?? '';
    return provider.ask((client) =>
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
        <AmountField left={left} currency={currency} />
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
