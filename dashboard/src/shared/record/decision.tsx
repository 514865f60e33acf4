import type { ButtonProps } from '@mui/material/Button';
import type { ReactNode } from 'react';
import type { RowOf } from '../../data/bindings.ts';
import type { ServerProvider } from '../../data-provider.ts';
import { useText } from '../../i18n/i18n.ts';
import { Refusal } from '../../server/server.ts';
import type { ActionProps } from '../forms/action.tsx';
import { Amount } from '../money/amount.tsx';
import { Field } from '../forms/field.tsx';
import { formatMoney } from '../money/money.tsx';
import type { StatusName } from './status.tsx';
import { useRegion } from '../../i18n/region.ts';
import type { Fields } from '../forms/submission.ts';

/** A deposit or a withdrawal. */
export type MoneyRow = RowOf<'deposits'>;
export type Status = MoneyRow['status'];
export const STATUSES = ['initiated', 'pending', 'success', 'failed', 'canceled'] as const satisfies Status[];

/** Prefix of the text keys `label`, `title` (with `%{name}` and `%{amount}`) and `done`. */
type Texts =
  | `resources.deposits.${'pay' | 'refuse' | 'reverse'}`
  | `resources.withdrawals.${'claim' | 'pay' | 'refuse' | 'reverse'}`
  | `resources.refunds.${'send' | 'reject' | 'succeed' | 'fail'}`;

/** An amount of a person that is decided on. */
interface Decidable {
  id: number;
  amount: number;
  currency: string;
  status: StatusName;
  user: { name: string };
}

export interface Decision<To extends StatusName = Status> {
  texts: Texts;
  to: To;
  isOffered: boolean;
  color?: ButtonProps['color'];
  isRare?: boolean;
  /** What the decision does, and the fields below it. */
  meaning?: string;
  children?: ReactNode;
}

/** The decisions offered now about an amount. Each fails if its status has changed since it was shown. */
export function useDecisions<Row extends Decidable>(
  resource: 'deposits' | 'withdrawals' | 'refunds',
  row: Row,
  decisions: Decision<Row['status']>[],
): ActionProps[] {
  const t = useText();
  const region = useRegion();
  const { id, amount, currency, user } = row;

  const decide = (to: StatusName) => async (provider: ServerProvider, fields: Fields) => {
    const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));
    const data = { ...filled, status: to, expected_status: row.status };
    try {
      await provider.update(resource, { id, data, previousData: row });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error;
      const { data: now } = await provider.getOne<Pick<Row, 'id' | 'status'>>(resource, { id });
      if (now.status === row.status) throw error;
      throw new Refusal(t('decision.meanwhile', { status: t(`status.${now.status}`) }), 409);
    }
  };
  return decisions
    .filter(({ isOffered }) => isOffered)
    .map(({ texts, to, color, isRare, meaning, children }) => ({
      label: t(`${texts}.label`),
      title: t(`${texts}.title`, { name: user.name, amount: formatMoney(amount, currency, region) }),
      run: decide(to),
      done: t(`${texts}.done`),
      button: { color },
      isRare,
      children: (
        <>
          <Amount amount={amount} currency={currency} />
          {meaning}
          {children}
        </>
      ),
    }));
}

export function ReferenceField() {
  const t = useText();
  return <Field name="ref" label={t('decision.reference')} hint={t('decision.referenceHint')} autoComplete="off" />;
}

interface RequiredFieldProps {
  name: string;
  label: string;
  hint: string;
  initial?: string;
}

/** A text that must not be empty. */
export function RequiredField({ name, label, hint, initial = '' }: RequiredFieldProps) {
  const t = useText();
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      defaultValue={initial}
      multiline
      minRows={2}
      read={(text) => (text.trim() === '' ? { error: t('decision.required') } : { value: text })}
    />
  );
}

export function DetailsField() {
  const t = useText();
  return <Field name="details" label={t('decision.details')} hint={t('decision.detailsHint')} multiline minRows={2} />;
}
