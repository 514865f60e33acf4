import type { Database, Tx } from '@tutoring/shared/database/open';
import type { Delivery } from '../delivery/delivery.ts';
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

  async function sendReset(tx: Tx, emailKey: string): Promise<void> {
    const account = await loginByEmail(tx, emailKey);
    if (account?.gauth_type !== 'email' || account.status !== 'active') return;
    const code = newCode();
    const hashes = codeHashes('reset', emailKey, code);
    const replaced = await replaceCode(tx, {
      purpose: 'reset',
      subject: emailKey,
      hashes,
      reference: String(account.id),
    });
    if (replaced) await delivery.mailCode(tx, 'reset', account.email, code);
  }

  async function sendLogin(tx: Tx, number: string): Promise<void> {
    const account = await loginByPhone(tx, number);
    if (account?.status !== 'active') return;
    const code = delivery.testCode(number) ?? newCode();
    const hashes = codeHashes('login', number, code);
    const replaced = await replaceCode(tx, {
      purpose: 'login',
      subject: number,
      hashes,
      reference: String(account.id),
    });
    if (replaced) await delivery.smsCode(tx, number, code);
  }

  return {
    /** `subject` is the key of an e-mail or phone number. */
    async request(purpose: 'reset' | 'login', subject: string): Promise<void> {
      await requestCode(database.manager, purpose, subject);
      wake();
    },

    /** Job: answers the requests, oldest first. */
    async answer(): Promise<void> {
      const answerOne = async (tx: Tx): Promise<CodePurpose | undefined> => {
        const asked = await takeCodeRequest(tx);
        if (asked?.purpose === 'reset') await sendReset(tx, asked.subject);
        if (asked?.purpose === 'login') await sendLogin(tx, asked.subject);
        return asked?.purpose;
      };
      while ((await database.transact(answerOne)) !== undefined) delivery.wake();
    },
  };
}

export type CodeRequests = ReturnType<typeof createCodeRequests>;
