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
import { usePayoutText } from '../payouts/words.ts';

type Answer = paths['/api/admin/payout-batches/preview']['post']['responses'][200]['content']['application/json'];
type Preview = PayloadOf<Answer>;

/** The first part of the key of the previews' queries. */
export const PREVIEW = 'payout-preview';

interface RemarksProps {
  title: string;
  rows: WithdrawalRow[];
  /** What is said about each withdrawal. */
  of: [withdrawal: number, words: string][];
}

/** What is said about some of the withdrawals, a line for each of them. */
function Remarks({ title, rows, of }: RemarksProps) {
  const id = useId();
  const words = Map.groupBy(of, ([withdrawal]) => withdrawal);
  const remarked = rows.filter((row) => words.has(row.id));
  if (remarked.length === 0) return null;
  return (
    <>
      <Typography id={id} variant="subtitle2" component="p" sx={{ marginTop: 1 }}>
        {title} ({remarked.length})
      </Typography>
      <ul aria-labelledby={id} style={{ margin: 0, paddingInlineStart: 20 }}>
        {remarked.map((row) => (
          <li key={row.id}>
            <bdi>{row.user.name}</bdi>, <Money amount={row.amount} currency={row.currency} />:{' '}
            {words
              .get(row.id)
              ?.map(([, said]) => said)
              .join('; ')}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the batch will be. The form sends the withdrawals that are not left out. */
function Found({ rows, of: { count, amount, excluded, warnings } }: { rows: WithdrawalRow[]; of: Preview }) {
  const word = usePayoutText();
  const leftOut = new Set(excluded.map(({ withdrawal_id: id }) => id));
  const ids = rows.map(({ id }) => id).filter((id) => !leftOut.has(id));
  const currency = rows[0]?.currency;
  return (
    <>
      <input type="hidden" name="withdrawal_ids" value={ids.join()} />
      {currency !== undefined && count > 0 && <Amount amount={amount} currency={currency} />}
      <Typography>{word('create.total', { smart_count: count })}</Typography>
      <Remarks
        title={word('create.excluded')}
        rows={rows}
        of={excluded.map(({ withdrawal_id: id, reason }) => [id, word(`reasons.${reason}`)])}
      />
      <Remarks
        title={word('create.warnings')}
        rows={rows}
        of={warnings.map(({ withdrawal_id: id, code }) => [id, word(`warnings.${code}`)])}
      />
    </>
  );
}

function Formats() {
  const t = useText();
  const word = usePayoutText();
  const id = useId();
  const form = useSubmissionState();
  useShownField(form, 'format');
  const error = form.errors['format'];
  return (
    <FormControl error={error !== undefined} sx={{ marginTop: 2 }}>
      <FormLabel id={id}>{word('create.format')}</FormLabel>
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
  const word = usePayoutText();
  const ids = rows.map(({ id }) => id);
  const { data, error, refetch } = useApiQuery(
    [PREVIEW, ids],
    (client) => client.POST('/api/admin/payout-batches/preview', { body: { withdrawal_ids: ids } }),
    { isStill: true },
  );
  return (
    <>
      {word('create.meaning')}
      {error !== null && <Failure error={error} retry={refetch} />}
      {error === null && !data && <Loading />}
      {data && <Found rows={rows} of={data} />}
      <Formats />
      <Field name="note" label={word('create.note')} hint={word('create.noteHint')} autoComplete="off" />
    </>
  );
}
