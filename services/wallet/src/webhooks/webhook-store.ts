import { rows, type Tx } from '@tutoring/shared/database/sql';
import type { ProviderEvent } from '../providers/provider.ts';

/** Records a provider's event; false when it was recorded before. */
export async function recordWebhook(tx: Tx, provider: string, event: ProviderEvent): Promise<boolean> {
  const inserted = await rows(
    tx,
    `insert into webhook_event (provider, event_id, type, deposit_id) values ($1, $2, $3, $4)
     on conflict do nothing returning event_id`,
    [provider, event.id, event.type, event.depositId],
  );
  return inserted.length > 0;
}
