import type { Database, Tx } from '@tutoring/shared/database/open';
import type { Delivery } from '../delivery/delivery-service.ts';
import { networkOf } from '../network.ts';
import type { CodePurpose } from '../texts.ts';
import { loginByEmail, loginByPhone } from '../users/user-store.ts';
import { newCode, type CodeHashes } from './code.ts';
import { replaceCode, requestCode, takeCodeRequest } from './code-store.ts';

/**
 * Codes for people who are not logged in. Asking is one write, the same whether or not the account exists; a job then
 * looks whether there is somebody to send a code to.
 */
export function createCodeRequests(deps: {
  database: Database;
  delivery: Delivery;
  codeHashes: CodeHashes;
  wake: () => void;
}) {
  const { database, delivery, codeHashes, wake } = deps;

  async function sendReset(tx: Tx, emailKey: string, network: string | null): Promise<void> {
    const account = await loginByEmail(tx, emailKey);
    if (account?.gauth_type !== 'email' || account.status !== 'active') return;
    const code = newCode();
    const hashes = codeHashes('reset', emailKey, code);
    const fresh = { purpose: 'reset', subject: emailKey, hashes, reference: String(account.id) } as const;
    await replaceCode(tx, fresh, () => delivery.mailCode(tx, 'reset', { to: account.email, code, network }));
  }

  async function sendLogin(tx: Tx, number: string, network: string | null): Promise<void> {
    const account = await loginByPhone(tx, number);
    if (account?.status !== 'active') return;
    const code = delivery.testCode(number) ?? newCode();
    const hashes = codeHashes('login', number, code);
    const fresh = { purpose: 'login', subject: number, hashes, reference: String(account.id) } as const;
    await replaceCode(tx, fresh, () => delivery.smsCode(tx, { to: number, code, network }));
  }

  return {
    /** `subject` is the key of an e-mail or phone number, `address` the one of who asks. */
    async request(purpose: 'reset' | 'login', subject: string, address: string): Promise<void> {
      await database.autocommit((tx) => requestCode(tx, purpose, subject, networkOf(address)));
      wake();
    },

    /** Job: answers the requests, oldest first. */
    async answer(): Promise<void> {
      const answerOne = async (tx: Tx): Promise<CodePurpose | undefined> => {
        const asked = await takeCodeRequest(tx);
        if (asked?.purpose === 'reset') await sendReset(tx, asked.subject, asked.network);
        if (asked?.purpose === 'login') await sendLogin(tx, asked.subject, asked.network);
        return asked?.purpose;
      };
      while ((await database.transact(answerOne)) !== undefined) delivery.wake();
    },
  };
}

export type CodeRequests = ReturnType<typeof createCodeRequests>;
