import type { Tx } from '@tutoring/shared/kit/database/open';
import { recordBreak } from '../breaks/break-service.ts';
import { ASK_LEASE_SECONDS } from '../deadlines.ts';
import { providerUnavailable } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { PayoutHeard } from '../providers/count.ts';
import {
  NotSent,
  type PaymentProvider,
  type Payouts,
  type ProviderEvent,
  type ProviderPayout,
  type SignedWebhook,
} from '../providers/provider.ts';
import { announce } from './batch-service.ts';
import { HEARD, requestAbout, type ProviderWord } from './batch-move.ts';
import { findBatch } from './batch-store.ts';
import type { ItemRow } from './item.ts';
import * as store from './provider-payout-store.ts';
import { isOtherMoney, nextAge, saidIn, stored, wordOf, type Answer } from './provider-word.ts';
import { closeIfDone, lockWithWithdrawal, payers, settleItem } from './settle-service.ts';

const breakOf = (provider: string, { reference, status, amount }: ItemRow) => ({
  ...{ provider, reference, ours: status, amount_ours: amount },
});

const recordOtherMoney = (tx: Tx, provider: string, item: ItemRow, { money, outcome, ref }: ProviderPayout) =>
  recordBreak(tx, {
    ...breakOf(provider, item),
    kind: 'amount',
    theirs: stored([outcome ?? 'unknown', money?.currency, ref].filter(Boolean).join(' '), 255) ?? null,
    amount_theirs: money?.amount ?? null,
  });

/** Applies a provider's word to a locked item. The batch is locked last. */
async function applyWord(
  tx: Tx,
  parts: Parts,
  { id, withdrawal_id, batch_id, provider }: store.ProviderItem,
  { item, word, said }: { item: ItemRow; word: ProviderWord; said: ProviderPayout | undefined },
): Promise<PayoutHeard> {
  const { moves, breaks } = HEARD[item.status][word];
  if (breaks) await recordBreak(tx, { ...breakOf(provider, item), kind: breaks, theirs: word });
  for (const status of moves) {
    const message = status === 'paid' ? undefined : stored(said?.message, 1_000);
    const news = { status, provider_ref: stored(said?.ref, 255), message };
    await settleItem(tx, parts, await lockWithWithdrawal(tx, { id, withdrawal_id }), news);
  }
  if (moves.length > 0 && !(await closeIfDone(tx, batch_id, { name: provider })))
    announce(tx, (await findBatch(tx, batch_id))!);
  if (word === 'unknown') return 'unknown';
  if (moves.length > 0) return 'applied';
  return breaks ? 'differs' : 'unchanged';
}

/**
 * Applies the answer about a payout, and schedules the next request. Without an end in three days the payout is
 * uncertain.
 */
const recordAnswer = (parts: Parts, due: store.ProviderItem, answer: Answer): Promise<PayoutHeard> =>
  parts.database.transact(async (tx) => {
    const { currency } = parts;
    const age = due.age ?? 0;
    const { item } = await lockWithWithdrawal(tx, due);
    const said = saidIn(answer);
    const differs = said !== undefined && isOtherMoney(said, item, currency);
    const word = wordOf(answer, item, { currency, age });
    if (differs) await recordOtherMoney(tx, due.provider, item, said);
    const isDone = differs || HEARD[item.status][word].breaks !== undefined;
    const isSettled = item.settled_at !== null;
    const at = nextAge(word, answer, { isDone, isSettled, age });
    await store.scheduleAsk(tx, due.id, { ref: stored(said?.ref, 255), at });
    const outcome = await applyWord(tx, parts, due, { item, word, said });
    return differs ? 'differs' : outcome;
  });

/** What is sent or asked for. A reference that somebody typed is not the provider's own. */
const wantedOf = ({ currency }: Parts, item: store.ProviderItem) => ({
  ...{ key: item.payout_key, reference: item.reference, amount: item.amount, currency, method: item.method },
  ...{ account: item.account ?? '', holder_name: item.holder_name ?? '' },
  provider_ref: item.settler_id === null ? item.provider_ref : null,
  ...(item.age !== null && { age: item.age }),
});

/** Sends or asks. Throws NotSent, but not about a payout that was sent: that would send it again. */
async function request(parts: Parts, payouts: Payouts, due: store.ProviderItem, step: 'send' | 'find') {
  try {
    return (await payouts[step](wantedOf(parts, due))) ?? 'none';
  } catch (error) {
    if (step === 'send' && error instanceof NotSent) throw error;
    const about = { err: error, provider: due.provider, reference: due.reference };
    parts.logger.warn(about, 'the outcome of a payout is unknown; the payment provider will be asked again');
    return 'silence';
  }
}

/** Records that the payout is being sent. False when it must not be, also when the lease may have ended meanwhile. */
async function begin({ database }: Parts, { id }: store.ProviderItem): Promise<boolean> {
  const started = performance.now();
  const mayBegin = await database.transact((tx) => store.beginSending(tx, id, ASK_LEASE_SECONDS));
  return mayBegin && performance.now() - started < ASK_LEASE_SECONDS * 500;
}

/** Counts what was heard of a payout, and logs a difference. */
function reportPayout(
  { providers, logger }: Parts,
  { provider, reference }: store.ProviderItem,
  by: 'ask' | 'webhook',
  outcome: PayoutHeard,
) {
  providers.countPayout(provider, by, outcome);
  if (outcome !== 'differs') return;
  logger.warn({ provider, reference }, 'what a provider says about a payout does not fit: see the breaks');
}

/**
 * Sends a payout that was ordered, or asks the provider about one that was sent. It is sent once: that the call begins is
 * committed before it, and from then on the provider is only asked. Returns the webhooks of a provider in this process.
 */
export async function askAboutPayout(parts: Parts, due: store.ProviderItem): Promise<SignedWebhook[]> {
  const { database, providers, logger } = parts;
  const payouts = providers.all.find(({ name }) => name === due.provider)?.payouts;
  const step = requestAbout({ status: due.status, isBegun: due.age !== null });
  if (!payouts || step === 'none') {
    await database.transact((tx) => store.scheduleAsk(tx, due.id, { at: null }));
    return [];
  }
  if (step === 'send' && !(await begin(parts, due))) return [];
  const answer = await request(parts, payouts, due, step).catch(async (error: unknown) => {
    await database.transact((tx) => store.takeBackSending(tx, due.id));
    logger.warn({ err: error, provider: due.provider, reference: due.reference }, 'a payout was not sent; it will be');
  });
  if (answer === undefined) return [];
  reportPayout(parts, due, 'ask', await recordAnswer(parts, due, answer));
  return saidIn(answer)?.webhooks ?? [];
}

/**
 * Handles a provider's hint that there is news of a payout: the provider is asked, and a final answer counts. Anything
 * else is left to the job, which may be sending the payout now. Throws unavailable when the provider does not answer.
 */
export async function receivePayout(
  parts: Parts,
  { name, payouts }: PaymentProvider,
  hint: NonNullable<ProviderEvent['payout']>,
): Promise<void> {
  const { database, providers, logger } = parts;
  const item = payouts && (await store.findPayout(database.manager, name, hint));
  if (!item) {
    providers.countPayout(name, 'webhook', 'unknown');
    logger.warn({ provider: name, ref: hint.ref }, 'a webhook about a payout that is not ours changed nothing');
    return;
  }
  const answer = await payouts.find(wantedOf(parts, item)).catch((error: unknown) => {
    throw providerUnavailable(error);
  });
  const isFinal = answer?.outcome !== undefined && answer.outcome !== 'pending';
  reportPayout(parts, item, 'webhook', isFinal ? await recordAnswer(parts, item, answer) : 'unchanged');
}

/** Due payouts, claimed for a while. */
export const claimPayouts = (tx: Tx, parts: Parts, lease: { limit: number; leaseSeconds: number }) =>
  store.claimDuePayouts(tx, payers(parts), lease);
