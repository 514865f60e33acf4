import IconButton from '@mui/material/IconButton';
import CopyIcon from '@mui/icons-material/ContentCopyOutlined';
import { useNotify } from 'ra-core';
import { useRights } from '../queries/rights.ts';
import { useText } from '../../i18n/i18n.ts';

/** The clipboard needs HTTPS or localhost. Without it the text can still be selected. */
const canCopy = 'clipboard' in navigator;

/** A payout account with a copy button, unless it is masked. */
export function Account({ of }: { of: string }) {
  const t = useText();
  const notify = useNotify();
  const isMasked = useRights().isMasked('GET /api/admin/withdrawals/{id}', 'account');
  const copy = async () => {
    await navigator.clipboard.writeText(of);
    notify(t('resources.withdrawals.account.done'), { type: 'success' });
  };
  return (
    <>
      {of}
      {canCopy && !isMasked && (
        <IconButton
          size="small"
          aria-label={t('resources.withdrawals.account.label')}
          title={t('resources.withdrawals.account.label')}
          onClick={(event) => {
            // Inside a clickable row, a click here must not trigger the row.
            event.stopPropagation();
            copy().catch((error: unknown) => notify(String(error), { type: 'error' }));
          }}
        >
          <CopyIcon sx={{ fontSize: 16 }} />
        </IconButton>
      )}
    </>
  );
}
