import { fill } from '@tutoring/shared/kit/language/localized';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import { invalidField } from '@tutoring/shared/kit/http/read/validation';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { conflict, found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { forgetFavourites } from '../teachers/teacher-store.ts';
import { removePhotos } from '../photos/photo-store.ts';
import { texts } from '../texts.ts';
import { provenAddresses, type Login } from '../users/user.ts';
import { lockLogin, loginById } from '../users/user-store.ts';
import * as store from './deletion-store.ts';
import type { DeletionInput } from './profile.ts';

const NAME = 'Deleted user';

export function createDeletion(base: Parts) {
  const { database, credentials, codes, tokens, users, wallet, calls, wakeJob } = base;
  const { manager } = database;

  const codeFor = (account: Login) => ({ purpose: 'delete', subject: `user:${account.id}` }) as const;

  async function sendCode(account: Login, network: string): Promise<void> {
    const phone = (account.gauth_type === 'phone_number' && account.phone_key) || undefined;
    const email = account.email_key === null ? undefined : account.email;
    const to = { email, phone, network, language: currentLanguage() };
    await database.transact((tx) => codes.send(tx, { ...codeFor(account), reference: null }, to));
  }

  /** Throws invalid unless the password or code is right; sends a code if the input has neither. Consumes no code. */
  async function assertOwner(account: Login, input: DeletionInput, address: string): Promise<void> {
    if (input.password !== undefined) {
      const isRight = await credentials.isPasswordOf(account, input.password, address);
      assertThat(isRight, () => invalidField('password', texts.passwordIncorrect));
      return;
    }
    if (input.code === undefined) {
      await sendCode(account, networkOf(address));
      throw invalidField('password', fill(texts.codeSent, { field: 'code' }));
    }
    const entered = { ...codeFor(account), code: input.code, address };
    const right = await database.transact((tx) => codes.check(tx, entered, false));
    assertThat(right, () => invalidField('code', texts.codeInvalid));
  }

  async function assertNotInCall(id: number): Promise<void> {
    const { live } = await calls.ask('live-call.read', { id });
    if (live) throw conflict(texts.inCall);
  }

  /**
   * Throws conflict during a call, with an open withdrawal or with money left, and unavailable when wallet or calls
   * does not respond. Otherwise wallet has frozen the account: no call or withdrawal can begin. Calls is asked twice:
   * before, so that wallet never freezes a user in a call, and after, because a call may have begun in between.
   */
  async function assertDeletable({ id, platform }: UserCaller, forfeit: boolean): Promise<void> {
    await assertNotInCall(id);
    const { open_withdrawals: open, balance, frozen } = await wallet.ask('obligations.check', { id, forfeit });
    if (open > 0) throw conflict(texts.openWithdrawal);
    if (balance > 0 && !forfeit) throw conflict(platform === 'student' ? texts.moneyForfeits : texts.moneyLeft);
    await assertNotInCall(id).catch(async (refusal: unknown) => {
      // If this fails, the freeze expires.
      if (frozen) await wallet.ask('account.thaw', { id, ...frozen }).catch(() => undefined);
      throw refusal;
    });
  }

  return {
    /** Pseudonymises the caller and frees the e-mail. Throws like `assertOwner` and `assertDeletable`. */
    async remove(caller: UserCaller, input: DeletionInput, address: string) {
      const account = found(await loginById(manager, caller.id));
      await assertOwner(account, input, address);
      await assertDeletable(caller, input.forfeit === true);
      await database.transact(async (tx) => {
        found(await lockLogin(tx, caller.id));
        await store.pseudonymise(tx, caller.id, NAME);
        await removePhotos(tx, caller.id);
        await forgetFavourites(tx, caller.id);
        await store.forgetAddresses(tx, caller.id, provenAddresses(account));
        await users.publishChange(tx, [caller.id]);
        if (input.forfeit) await store.recordForfeit(tx, caller.id);
        await tokens.revokeAll(tx, caller);
      });
      wakeJob('forfeits');
      wakeJob('photos');
      return { message: texts.accountDeleted };
    },

    /** Job: forfeits the balances of deleted accounts at wallet; retries until wallet confirms. */
    async settleForfeits(): Promise<void> {
      for (const id of await store.openForfeits(manager)) {
        await wallet.ask('balance.forfeit', { id });
        await database.autocommit((tx) => store.closeForfeit(tx, id));
      }
    },
  };
}

export type Deletion = ReturnType<typeof createDeletion>;
