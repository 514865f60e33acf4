import type { UserCaller } from '@tutoring/shared/identity/auth';
import { currentLanguage } from '@tutoring/shared/process/context';
import type { Database } from '@tutoring/shared/database/open';
import { invalidField } from '@tutoring/shared/http/read/validation';
import type { InternalClient } from '@tutoring/shared/internal/client';
import { networkOf } from '@tutoring/shared/process/client-network';
import { newCode, type CodeHashes } from '../codes/code.ts';
import { checkCode, replaceCode } from '../codes/code-store.ts';
import { keyOf, type Credentials } from '../credentials/credential-service.ts';
import type { Delivery } from '../delivery/delivery-service.ts';
import { conflict, recordNotFound } from '../errors.ts';
import { removePhotos } from '../photos/photo-store.ts';
import { texts } from '../texts.ts';
import type { Tokens } from '../tokens/token-service.ts';
import type { People } from '../users/person-service.ts';
import { addressesOf, type Login } from '../users/user.ts';
import { lockAccounts, loginById } from '../users/user-store.ts';
import * as store from './deletion-store.ts';
import type { DeletionInput } from './profile.ts';

const NAME = 'Deleted user';
const PURPOSE = 'delete';

export function createDeletion(deps: {
  database: Database;
  credentials: Credentials;
  codeHashes: CodeHashes;
  delivery: Delivery;
  tokens: Tokens;
  people: People;
  wallet: InternalClient<'wallet'>;
  calls: InternalClient<'calls'>;
  wakeForfeits: () => void;
  wakeCleaning: () => void;
}) {
  const { database, credentials, codeHashes, delivery, tokens, people, wallet, calls } = deps;
  const { manager } = database;

  const subjectOf = (account: Login) => `user:${account.id}`;
  const hashesOf = (account: Login, code: string) => codeHashes(PURPOSE, subjectOf(account), code);

  async function sendCode(account: Login, network: string): Promise<void> {
    const phone = account.gauth_type === 'phone_number' ? account.phone_key : null;
    const code = (phone !== null && delivery.testCode(phone)) || newCode();
    await database.transact(async (tx) => {
      const fresh = {
        purpose: PURPOSE,
        subject: subjectOf(account),
        hashes: hashesOf(account, code),
        reference: null,
      } as const;
      await replaceCode(tx, fresh, async () => {
        const { email, email_key: key } = account;
        const language = currentLanguage();
        const isMailed = key !== null && (await delivery.mailCode(tx, PURPOSE, { to: email, code, network, language }));
        const isTexted = phone !== null && (await delivery.smsCode(tx, { to: phone, code, network, language }));
        return isMailed || isTexted;
      });
    });
    delivery.wake();
  }

  /** Throws invalid unless the password or the code is right; sends a code without either. Spends no code yet. */
  async function prove(account: Login, input: DeletionInput, address: string): Promise<void> {
    if (input.password !== undefined) {
      const check = {
        account: keyOf(account),
        person: account.id,
        address,
        hash: account.password_hash,
        password: input.password,
      };
      if (!(await credentials.checkPassword(check))) throw invalidField('password', texts.passwordIncorrect);
      return;
    }
    if (input.code === undefined) {
      await sendCode(account, networkOf(address));
      throw invalidField('password', texts.codeSent('code'));
    }
    const subject = subjectOf(account);
    const hashes = hashesOf(account, input.code);
    const right = await database.transact((tx) =>
      checkCode(tx, { purpose: PURPOSE, subject, hashes, address, consume: false }),
    );
    if (!right) throw invalidField('code', texts.codeInvalid);
  }

  async function assertNotInCall(id: number): Promise<void> {
    const { live } = await calls.ask('live-call.read', { id });
    if (live) throw conflict(texts.inCall);
  }

  /**
   * Throws conflict for what prevents a deletion, and unavailable when wallet or calls does not respond. When nothing
   * does, wallet moves no new money on the account, so that no call or withdrawal begins afterwards. Calls is asked
   * before, so that wallet freezes nobody who is in a call, and after, because one may have begun until then.
   */
  async function assertFree({ id, platform }: UserCaller, forfeit: boolean): Promise<void> {
    await assertNotInCall(id);
    const { open_withdrawals: open, balance, frozen } = await wallet.ask('obligations.check', { id, forfeit });
    if (open > 0) throw conflict(texts.openWithdrawal);
    if (balance > 0 && !forfeit) throw conflict(platform === 'student' ? texts.moneyForfeits : texts.moneyLeft);
    await assertNotInCall(id).catch(async (refusal: unknown) => {
      // A freeze that wallet is not told to end ends by itself.
      if (frozen) await wallet.ask('account.thaw', { id, ...frozen }).catch(() => undefined);
      throw refusal;
    });
  }

  return {
    /** Pseudonymises the caller everywhere and frees the e-mail. See `prove` and `assertFree` for what it throws. */
    async remove(caller: UserCaller, input: DeletionInput, address: string) {
      const account = await loginById(manager, caller.id);
      if (!account) throw recordNotFound();
      await prove(account, input, address);
      await assertFree(caller, input.forfeit === true);
      const revocation = await database.transact(async (tx) => {
        await lockAccounts(tx, [caller.id]);
        if (!(await loginById(tx, caller.id))) throw recordNotFound();
        await store.pseudonymise(tx, caller.id, NAME);
        await removePhotos(tx, caller.id);
        await store.forgetAddresses(tx, caller.id, addressesOf(account));
        await people.announce(tx, [caller.id]);
        if (input.forfeit) await store.recordForfeit(tx, caller.id);
        return tokens.revokeAll(tx, caller.id);
      });
      tokens.announce(revocation);
      deps.wakeForfeits();
      deps.wakeCleaning();
      return { message: texts.accountDeleted };
    },

    /** Job: forfeits at wallet what deleted accounts gave up, until wallet has confirmed it. */
    async settleForfeits(): Promise<void> {
      for (const id of await store.openForfeits(manager)) {
        await wallet.ask('balance.forfeit', { id });
        await database.autocommit((tx) => store.closeForfeit(tx, id));
      }
    },
  };
}

export type Deletion = ReturnType<typeof createDeletion>;
