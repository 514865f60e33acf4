import { newSecret } from '@tutoring/shared/identity/bearer';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { invalidField } from '@tutoring/shared/http/read/validation';
import { newCode, type CodeHashes } from '../codes/code.ts';
import type { CodeRequests } from '../codes/code-service.ts';
import { checkCode, replaceCode } from '../codes/code-store.ts';
import { commonPassword } from '../credentials/common-password.ts';
import { userKey } from '../credentials/credential-service.ts';
import type { Hasher } from '../credentials/hasher.ts';
import { forgive } from '../credentials/lockout-store.ts';
import type { Delivery } from '../delivery/delivery-service.ts';
import { codeInvalid, resetFailed } from '../errors.ts';
import type { Client } from '../network.ts';
import { settingValue } from '../settings/setting-store.ts';
import { noticeLetter, texts } from '../texts.ts';
import { secretHash } from '../tokens/token.ts';
import type { Tokens } from '../tokens/token-service.ts';
import { lockAccounts, loginByEmail, setPassword } from '../users/user-store.ts';
import { grantReset, spendGrant } from './reset-store.ts';

export function createReset(deps: {
  database: Database;
  hasher: Hasher;
  codeHashes: CodeHashes;
  codeRequests: CodeRequests;
  delivery: Delivery;
  tokens: Tokens;
  /** False: a reset always needs its reset_token, whatever the setting `reset_needs_token` is. */
  withoutToken: boolean;
}) {
  const { database, hasher, codeHashes, codeRequests, delivery, tokens } = deps;

  return {
    /** Always returns the same, whether or not the account exists. */
    async sendCode(email: string | undefined, address: string) {
      if (email !== undefined) await codeRequests.request('reset', emailKey(email), address);
      return { message: texts.checkMailbox };
    },

    /** However the account logs in: its e-mail is proven. */
    async answerRequest(tx: Tx, emailKey: string, network: string): Promise<void> {
      const account = await loginByEmail(tx, emailKey);
      if (account?.status !== 'active') return;
      const code = newCode();
      const hashes = codeHashes('reset', emailKey, code);
      const fresh = { purpose: 'reset', subject: emailKey, hashes, reference: String(account.id) } as const;
      await replaceCode(tx, fresh, () =>
        delivery.mailCode(tx, 'reset', { to: account.email, code, network, language: account.language }),
      );
    },

    /** Exchanges a right code for one reset within ten minutes. Throws not_found otherwise. */
    async verifyCode(input: { email?: string | undefined; code?: string | undefined }, client: Client) {
      if (input.email === undefined || input.code === undefined) throw codeInvalid();
      const subject = emailKey(input.email);
      const hashes = codeHashes('reset', subject, input.code);
      const secret = newSecret();
      const granted = await database.transact(async (tx) => {
        const checked = await checkCode(tx, {
          purpose: 'reset',
          subject,
          hashes,
          address: client.address,
          consume: true,
        });
        // Returns instead of throwing: a rollback would undo the count of the wrong try.
        if (!checked) return false;
        return grantReset(tx, { id: Number(checked.reference), emailKey: subject }, secretHash(secret), client);
      });
      if (!granted) throw codeInvalid();
      return { message: texts.codeAccepted, reset_token: secret };
    },

    /**
     * Throws not_found without a fresh grant, and invalid for a password that contains the account's name; a failed
     * attempt does not spend the grant. Ends every session and writes to the owner.
     */
    async reset(input: { email: string; password: string; reset_token?: string | undefined }, client: Client) {
      const key = emailKey(input.email);
      const password = await hasher.hash(input.password, { account: userKey(key), address: client.address });
      const tokenHash = input.reset_token === undefined ? null : secretHash(input.reset_token);
      const revocation = await database.transact(async (tx) => {
        const needsToken = !deps.withoutToken || (await settingValue(tx, 'reset_needs_token')) === 1;
        const proof = { tokenHash, client: needsToken ? null : client };
        const account = await spendGrant(tx, key, proof);
        if (!account) throw resetFailed();
        // Only after the grant is proven: the result reveals something about the name.
        const broken = await commonPassword({ password: input.password, name: account.name });
        if (broken.length > 0) throw invalidField('password', texts.passwordTooCommon);
        await lockAccounts(tx, [account.id]);
        await setPassword(tx, account.id, password);
        await forgive(tx, [userKey(key)]);
        await delivery.mailNotice(tx, account.email, noticeLetter('passwordChanged', account.language));
        return tokens.revokeAll(tx, account.id);
      });
      tokens.announce(revocation);
      delivery.wake();
      return { message: texts.passwordReset };
    },
  };
}

export type Reset = ReturnType<typeof createReset>;
