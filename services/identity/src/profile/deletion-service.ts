import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { conflict, found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { forgetFavourites } from '../teachers/teacher-store.ts';
import { removePhotos } from '../photos/photo-store.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import * as users from '../users/user-service.ts';
import { provenAddresses } from '../users/user.ts';
import { lockLogin, loginById } from '../users/user-store.ts';
import * as store from './deletion-store.ts';
import { assertOwner } from './owner-proof-service.ts';
import type { DeletionInput } from './profile.ts';

const NAME = 'Deleted user';

/** What a person with money can do with it. */
function moneyLeftText(platform: UserCaller['platform'], isRefundable: boolean): string {
  if (platform === 'teacher') return texts.moneyLeft;
  return isRefundable ? texts.moneyRefundable : texts.moneyForfeits;
}

async function assertNotInCall({ calls }: Parts, id: number): Promise<void> {
  const { live } = await calls.ask('live-call.read', { id });
  if (live) throw conflict(texts.inCall);
}

/**
 * Throws conflict during a call, with an open withdrawal, refund or dispute or with money left, and unavailable when
 * wallet or calls does not respond. Otherwise wallet has frozen the account: no call or withdrawal can begin. Calls is asked twice:
 * before, so that wallet never freezes a user in a call, and after, because a call may have begun in between.
 */
async function assertDeletable(parts: Parts, { id, platform }: UserCaller, forfeit: boolean): Promise<void> {
  await assertNotInCall(parts, id);
  const found = await parts.wallet.ask('obligations.check', { id, forfeit });
  const { balance, frozen } = found;
  if (found.open_withdrawals > 0) throw conflict(texts.openWithdrawal);
  if (found.open_refunds) throw conflict(texts.openRefund);
  if (found.open_disputes) throw conflict(texts.openDispute);
  if (balance > 0 && !forfeit) throw conflict(moneyLeftText(platform, found.refunds_offered ?? false));
  await assertNotInCall(parts, id).catch(async (refusal: unknown) => {
    // If this fails, the freeze expires.
    if (frozen) await parts.wallet.ask('account.thaw', { id, ...frozen }).catch(() => undefined);
    throw refusal;
  });
}

/** Pseudonymises the caller and frees the e-mail. Throws like `assertOwner` and `assertDeletable`. */
export async function remove(parts: Parts, caller: UserCaller, input: DeletionInput, address: string) {
  const account = found(await loginById(parts.database.manager, caller.id));
  const matter = { purpose: 'delete', field: 'password', keepsCode: true } as const;
  await assertOwner(parts, account, matter, { ...input, address });
  await assertDeletable(parts, caller, input.forfeit === true);
  await parts.database.transact(async (tx) => {
    found(await lockLogin(tx, caller.id));
    await store.pseudonymise(tx, caller.id, NAME);
    await removePhotos(tx, caller.id);
    await forgetFavourites(tx, caller.id);
    await store.forgetAddresses(tx, caller.id, provenAddresses(account));
    await users.publishChange(parts, tx, [caller.id]);
    if (input.forfeit) await store.recordForfeit(tx, caller.id);
    await tokens.revokeAll(parts, tx, caller);
  });
  parts.wakeJob('forfeits');
  parts.wakeJob('photos');
  return { message: texts.accountDeleted };
}

/** Job: forfeits the balances of deleted accounts at wallet; retries until wallet confirms. */
export async function settleForfeits(parts: Parts): Promise<void> {
  for (const id of await store.openForfeits(parts.database.manager)) {
    await parts.wallet.ask('balance.forfeit', { id });
    await parts.database.autocommit((tx) => store.closeForfeit(tx, id));
  }
}
