import type { ButtonProps } from '@mui/material/Button';
import type { ReactNode } from 'react';
import type { ServerProvider } from '../data-provider.ts';
import { useText, type TextName } from '../i18n/i18n.ts';
import { Refusal } from '../server/server.ts';
import { Action } from './action.tsx';
import { Amount } from './amount.tsx';
import { Field } from './field.tsx';
import { formatMoney } from './money.tsx';
import { useRegion } from './region.ts';

export type Status = 'initiated' | 'pending' | 'success' | 'failed' | 'canceled';
export const STATUSES = ['initiated', 'pending', 'success', 'failed', 'canceled'] as const satisfies Status[];

/** A deposit or a withdrawal. */
export interface MoneyRow {
  id: number;
  amount: number;
  currency: string;
  status: Status;
  method: string | null;
  ref: string | null;
  details: string | null;
  user_id: number;
  user: { id: number; name: string; email: string; phone_number: string };
  created_at: string;
  updated_at: string;
}

export interface DecisionProps {
  resource: 'deposits' | 'withdrawals';
  row: MoneyRow;
  to: Status;
  isOffered: boolean;
  label: TextName;
  /** Takes `%{name}` and `%{amount}`. */
  title: TextName;
  done: TextName;
  /** The word for a status. */
  word: (status: Status) => string;
  color?: ButtonProps['color'];
  /** What else has to be read, and the fields. */
  children?: ReactNode;
}

/** A decision about money: refused when somebody else has decided since the row was shown. */
export function Decision({ resource, row, to, label, title, done, word, color, children, ...rest }: DecisionProps) {
  const t = useText();
  const region = useRegion();
  const { id, amount, currency, user } = row;

  async function decide(provider: ServerProvider, fields: Record<string, string>): Promise<void> {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));
    const data = { ...given, status: to, expected_status: row.status };
    try {
      await provider.update(resource, { id, data, previousData: row });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      const { data: now } = await provider.getOne<MoneyRow>(resource, { id });
      if (now.status === row.status) throw error;
      throw new Refusal(t('decision.meanwhile', { status: word(now.status) }), 409);
    }
  }
  return (
    <Action
      {...rest}
      label={t(label)}
      title={t(title, { name: user.name, amount: formatMoney(amount, currency, region) })}
      run={decide}
      done={t(done)}
      button={{ color }}
    >
      <Amount amount={amount} currency={currency} />
      {children}
    </Action>
  );
}

export function ReferenceField() {
  const t = useText();
  return <Field name="ref" label={t('decision.reference')} hint={t('decision.referenceHint')} autoComplete="off" />;
}

export function DetailsField() {
  const t = useText();
  return <Field name="details" label={t('decision.details')} hint={t('decision.detailsHint')} multiline minRows={2} />;
}
