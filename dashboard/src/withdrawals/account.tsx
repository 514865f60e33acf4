import IconButton from '@mui/material/IconButton';
import CopyIcon from '@mui/icons-material/ContentCopyOutlined';
import { useNotify } from 'ra-core';
import { useText } from '../i18n/i18n.ts';

/** Browsers without it have the text to select: it needs HTTPS or the own machine. */
const canCopy = 'clipboard' in navigator;

/** Where money is sent to, to copy as it is. */
export function Account({ of }: { of: string }) {
  const t = useText();
  const notify = useNotify();
  const copy = async () => {
    await navigator.clipboard.writeText(of);
    notify(t('resources.withdrawals.account.done'), { type: 'success' });
  };
  return (
    <>
      {of}
      {canCopy && (
        <IconButton
          size="small"
          aria-label={t('resources.withdrawals.account.label')}
          title={t('resources.withdrawals.account.label')}
          onClick={(event) => {
            // In a row that leads somewhere: a click here leads nowhere.
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
