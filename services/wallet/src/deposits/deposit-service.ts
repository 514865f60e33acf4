import type { Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { claimKey, completeKey, releaseKey, rememberSubject } from '@tutoring/shared/http/serve/idempotency';
import { Reply } from '@tutoring/shared/http/declare/route';
import { moreIf } from '@tutoring/shared/jobs';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { accountClosed, belowMinimum, providerUnavailable, tooManyOpen } from '../errors.ts';
import { accountStanding, lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { decisions, type Asked } from '../records/record-service.ts';
import { records } from '../texts.ts';
import { publicDeposit, type Deposit, type DepositRow, type NewDeposit } from './deposit.ts';
import { moveDeposit, publishDeposit } from './deposit-move-service.ts';
import { depositKind, depositStore, lockUnpaid } from './deposit-store.ts';

/** Deposits that one student may have open at a time. */
const MOST_OPEN = 20;
const UNPAID_AT_ONCE = 100;

type AskedDeposit = Asked<NewDeposit>;

/** A new deposit, committed before the provider is called. Throws invalid, and conflict when too many are open. */
async function record(tx: Tx, { currency, providers }: Parts, { caller, body }: AskedDeposit): Promise<DepositRow> {
  const { amount, method = null } = body;
  const { min_deposit: minimum } = await readSettings(tx, ['min_deposit']);
  assertThat(amount >= minimum, () => belowMinimum(minimum));
  await lockAccounts(tx, [caller.id]);
  assertThat((await accountStanding(tx, caller.id)) === 'open', accountClosed);
  assertThat((await depositStore.countOpen(tx, caller.id)) < MOST_OPEN, () => tooManyOpen(MOST_OPEN));
  const provider = providers.current.name;
  const deposit = await depositStore.insert(tx, { user_id: caller.id, amount, currency, method, provider });
  await publishDeposit(tx, deposit);
  return deposit;
}

/** The deposit of this request: a new one, or the one of an earlier request with this key that crashed. */
async function begin(tx: Tx, parts: Parts, asked: AskedDeposit): Promise<DepositRow | Reply> {
  const { key } = asked;
  if (key === undefined) return record(tx, parts, asked);
  const request = { ...asked, key };
  const claim = await claimKey(tx, request);
  if (claim instanceof Reply) return claim;
  const known = claim.subject === null ? undefined : await depositStore.find(tx, Number(claim.subject));
  if (known) return known;
  const deposit = await record(tx, parts, asked);
  await rememberSubject(tx, request, String(deposit.id));
  return deposit;
}

const fail = ({ database, currency }: Parts, id: number, { key, ...asked }: AskedDeposit): Promise<void> =>
  database.transact(async (tx) => {
    const current = await depositStore.lock(tx, id);
    if (current?.status === 'initiated')
      await moveDeposit(tx, currency, current, 'failed', { details: records.providerRefused });
    if (key !== undefined) await releaseKey(tx, { ...asked, key });
  });

/** From initiated to pending, unless the provider's event came first. */
async function awaitPayment(tx: Tx, id: number, ref: string): Promise<DepositRow> {
  const current = await depositStore.lock(tx, id);
  if (!current) throw new Error('a deposit vanished');
  const status = current.status === 'initiated' ? 'pending' : current.status;
  const pending = await depositStore.update(tx, id, { status, provider_ref: ref, ref: current.ref ?? ref });
  await publishDeposit(tx, pending);
  return pending;
}

/**
 * Records the deposit and opens it at the provider, outside any transaction. The deposit's id is the idempotency
 * key there. Only this response contains the link. Throws unavailable when the provider does not accept it.
 */
export async function createDeposit(
  parts: Parts,
  asked: AskedDeposit,
): Promise<(Deposit & { checkout_url: string }) | Reply> {
  const { database, logger, people, providers } = parts;
  const begun = await database.transact((tx) => begin(tx, parts, asked));
  if (begun instanceof Reply) return begun;
  const user = await people.summaryOf(begun.user_id);
  const opened = await providers.current.open(begun).catch(async (error: unknown) => {
    logger.warn({ err: error, deposit_id: begun.id }, 'the payment provider did not open a deposit');
    await fail(parts, begun.id, asked);
    throw providerUnavailable(error);
  });
  return database.transact(async (tx) => {
    const pending = await awaitPayment(tx, begun.id, opened.ref);
    const answer = { ...publicDeposit(pending), user, checkout_url: opened.checkoutUrl };
    const { key } = asked;
    if (key !== undefined) await completeKey(tx, { ...asked, key }, answer);
    return answer;
  });
}

/** An administrator's decision on a deposit. Throws as `decisions`, and conflict when the money is gone. */
export const decideDeposit = ({ database, currency }: Parts) =>
  decisions(database, depositKind, (tx, deposit, { status, details, ref }) =>
    moveDeposit(tx, currency, deposit, status, { details, ref }),
  );

/** Job: cancels deposits that were not paid within 24 hours. */
export const cancelUnpaid = ({ database, currency }: Parts) =>
  database.transact(async (tx) => {
    const unpaid = await lockUnpaid(tx, UNPAID_AT_ONCE);
    for (const id of unpaid) {
      const deposit = (await depositStore.lock(tx, id)) as DepositRow;
      await moveDeposit(tx, currency, deposit, 'canceled', { details: records.unpaid });
    }
    return moreIf(unpaid.length === UNPAID_AT_ONCE);
  });
