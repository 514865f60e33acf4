import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { paths } from '@tutoring/client/schema';
import { payoutFormats } from '../generated/operations.ts';
import { useText } from '../i18n/i18n.ts';
import type { PayloadOf } from '../server/server.ts';
import { Field } from '../shared/forms/field.tsx';
import { useShownField, useSubmissionState } from '../shared/forms/submission.ts';
import { Amount } from '../shared/money/amount.tsx';
import { Money } from '../shared/money/money.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import type { WithdrawalRow } from './decisions.tsx';

type Answer = paths['/api/admin/payout-batches/preview']['post']['responses'][200]['content']['application/json'];
type Preview = PayloadOf<Answer>;

/** The first part of the key of the previews' queries. */
export const PREVIEW = 'payout-preview';

interface RemarksProps {
  title: string;
  rows: WithdrawalRow[];
  /** What is said about each withdrawal. */
  of: { withdrawal_id: number; words: string }[];
}

/** What is said about some of the withdrawals. */
function Remarks({ title, rows, of }: RemarksProps) {
  const id = useId();
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (of.length === 0) return null;
  return (
    <>
      <Typography id={id} variant="subtitle2" component="p" sx={{ marginTop: 1 }}>
        {title} ({of.length})
      </Typography>
      <ul aria-labelledby={id} style={{ margin: 0, paddingInlineStart: 20 }}>
        {of.map(({ withdrawal_id: number, words }) => {
          const row = byId.get(number);
          return (
            <li key={`${number} ${words}`}>
              {row && (
                <>
                  <bdi>{row.user.name}</bdi>, <Money amount={row.amount} currency={row.currency} />
                </>
              )}
              : {words}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What the batch will be. The form sends the withdrawals that are not left out. */
function Found({ rows, of: { count, amount, excluded, warnings } }: { rows: WithdrawalRow[]; of: Preview }) {
  const t = useText();
  const leftOut = new Set(excluded.map(({ withdrawal_id: id }) => id));
  const ids = rows.map(({ id }) => id).filter((id) => !leftOut.has(id));
  const currency = rows[0]?.currency;
  return (
    <>
      <input type="hidden" name="withdrawal_ids" value={ids.join()} />
      {currency !== undefined && count > 0 && <Amount amount={amount} currency={currency} />}
      <Typography>{t('resources.payouts.create.total', { smart_count: count })}</Typography>
      <Remarks
        title={t('resources.payouts.create.excluded')}
        rows={rows}
        of={excluded.map(({ withdrawal_id, reason }) => ({
          withdrawal_id,
          words: t(`resources.payouts.reasons.${reason}`),
        }))}
      />
      <Remarks
        title={t('resources.payouts.create.warnings')}
        rows={rows}
        of={warnings.map(({ withdrawal_id, code }) => ({
          withdrawal_id,
          words: t(`resources.payouts.warnings.${code}`),
        }))}
      />
    </>
  );
}

function Formats() {
  const t = useText();
  const id = useId();
  const form = useSubmissionState();
  useShownField(form, 'format');
  const error = form.errors['format'];
  return (
    <FormControl error={error !== undefined} sx={{ marginTop: 2 }}>
      <FormLabel id={id}>{t('resources.payouts.create.format')}</FormLabel>
      <RadioGroup name="format" aria-labelledby={id} defaultValue={payoutFormats[0]}>
        {payoutFormats.map((format) => (
          <FormControlLabel
            key={format}
            value={format}
            label={t(`resources.payouts.formats.${format}`)}
            disabled={form.isRunning}
            control={<Radio size="small" />}
          />
        ))}
      </RadioGroup>
      {error !== undefined && <FormHelperText>{error}</FormHelperText>}
    </FormControl>
  );
}

/** The preview of a batch of these withdrawals, its format and its note. */
export function PayoutForm({ rows }: { rows: WithdrawalRow[] }) {
  const t = useText();
  const ids = rows.map(({ id }) => id);
  const { data, error, refetch } = useApiQuery([PREVIEW, ids], (client) =>
    client.POST('/api/admin/payout-batches/preview', { body: { withdrawal_ids: ids } }),
  );
  return (
    <>
      {t('resources.payouts.create.meaning')}
      {error !== null && <Failure error={error} retry={refetch} />}
      {error === null && !data && <Loading />}
      {data && <Found rows={rows} of={data} />}
      <Formats />
      <Field
        name="note"
        label={t('resources.payouts.create.note')}
        hint={t('resources.payouts.create.noteHint')}
        autoComplete="off"
      />
    </>
  );
}
