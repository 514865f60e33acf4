import { providerMove, type DepositRow } from '../deposits/deposit.ts';
import { moveDeposit, publishDeposit } from '../deposits/deposit-move-service.ts';
import { depositStore, PAID, recordWebhook } from '../deposits/deposit-store.ts';
import type { Parts } from '../parts.ts';
import type { PaymentProvider, ProviderEvent } from '../providers/provider.ts';

/** A provider's events count only for its own deposits, and for the payment that it opened for them. */
const isAbout = (event: ProviderEvent, provider: PaymentProvider, deposit: DepositRow) =>
  deposit.provider === provider.name &&
  (event.ref === undefined || deposit.provider_ref === null || event.ref === deposit.provider_ref);

/** Once per event id, in any order; an unknown deposit is only logged. */
const apply = ({ database, currency, logger }: Parts, provider: PaymentProvider, event: ProviderEvent) =>
  database.transact(async (tx) => {
    if (!(await recordWebhook(tx, provider.name, event))) return;
    const deposit = await depositStore.lock(tx, event.depositId);
    if (!deposit || !isAbout(event, provider, deposit)) {
      logger.warn({ provider: provider.name, event }, 'a webhook about an unknown deposit');
      return;
    }
    const to = providerMove(deposit, event.outcome);
    const paid = event.outcome === 'success';
    if (to) await moveDeposit(tx, currency, deposit, to, { paid });
    else if (paid && deposit.paid_at === null)
      await publishDeposit(tx, await depositStore.update(tx, deposit.id, {}, PAID));
    else logger.info({ provider: provider.name, event, status: deposit.status }, 'a webhook changed nothing');
  });

/** Handles a provider's webhook. Throws malformed when it is not genuine. */
export async function receiveWebhook(
  parts: Parts,
  provider: PaymentProvider,
  rawBody: Buffer,
  header: (name: string) => string | undefined,
): Promise<void> {
  const event = await provider.read(rawBody, header);
  if (event) await apply(parts, provider, event);
}
