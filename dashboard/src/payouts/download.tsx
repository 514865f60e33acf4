import Button from '@mui/material/Button';
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { useState } from 'react';
import { useDataProvider, useLogoutIfAccessDenied, useNotify } from 'ra-core';
import { idOf } from '../data/binding.ts';
import type { ServerProvider } from '../data-provider.ts';
import { saveFile } from '../shared/lists/save-file.ts';
import type { Batch } from './payout.ts';
import { usePayoutText } from './words.ts';

/** Downloads the file of a batch. Each download is in the audit log. */
export function Download({ of: { id, file } }: { of: Batch }) {
  const word = usePayoutText();
  const notify = useNotify();
  const provider = useDataProvider<ServerProvider>();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  const [isRunning, setRunning] = useState(false);
  async function download(): Promise<void> {
    setRunning(true);
    try {
      const blob = await provider.download((client) =>
        client.GET('/api/admin/payout-batches/{id}/file', { ...idOf(id), parseAs: 'blob' }),
      );
      saveFile(blob, file?.name ?? `payout-${id}`);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'states.failed', { type: 'error' });
      await logoutIfAccessDenied(error);
    } finally {
      setRunning(false);
    }
  }
  return (
    <Button
      size="small"
      variant="outlined"
      startIcon={<DownloadIcon />}
      loading={isRunning}
      loadingPosition="start"
      onClick={() => void download()}
    >
      {word('download')}
    </Button>
  );
}
