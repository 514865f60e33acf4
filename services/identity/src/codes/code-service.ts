import type { Tx } from '@tutoring/shared/database/open';
import type { Language } from '@tutoring/shared/process/language';
import { networkOf } from '@tutoring/shared/process/client-network';
import { emailKey } from '@tutoring/shared/http/declare/email';
import type { Deps } from '../config.ts';
import type { Delivery, Recipient } from '../delivery/delivery-service.ts';
import { texts, type CodePurpose, type LetterPurpose, type RequestedPurpose } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import { codeHashes, newCode } from './code.ts';
import * as store from './code-store.ts';

interface CodeFor {
  purpose: CodePurpose;
  /** The account or the address that tries are counted for. */
  subject: string;
  /** What the code is bound to; the subject unless it is more than that. */
  bound?: string;
}

interface NewCode extends CodeFor {
  /** What `check` will return. */
  reference: string | null;
  letter: LetterPurpose;
}

/** Sends a code if there is somebody to send it to. */
type Answer = (tx: Tx, asked: store.CodeRequest) => Promise<void>;

type Owner = { id: number; status: string; email: string; language: Language };

/** Codes of six digits that prove an address. */
export function createCodes({ config, database, wakeJob, delivery }: Deps & { delivery: Delivery }) {
  const hashesOf = ({ purpose, subject, bound = subject }: CodeFor, code: string) =>
    codeHashes(config.CODE_KEYS, purpose, bound, code);

  /** Replaces the code by a new one; when no message is sent the present code stays good. Returns whether one is. */
  async function sendNow(tx: Tx, { reference, letter, ...of }: NewCode, to: Recipient): Promise<boolean> {
    const code = (to.phone !== undefined && delivery.testCode(to.phone)) || newCode();
    const isSent = await delivery.sendCode(tx, letter, code, to);
    if (isSent) await store.saveCode(tx, { ...of, hashes: hashesOf(of, code), reference });
    return isSent;
  }

  /** The same, unless one was sent within 60 seconds. */
  async function send(tx: Tx, code: Omit<NewCode, 'letter'>, to: Recipient): Promise<void> {
    if (await store.lockDue(tx, code)) await sendNow(tx, { ...code, letter: code.purpose }, to);
  }

  return {
    send,
    sendNow,

    /**
     * What the code refers to; undefined when it is wrong. Counts a wrong try, in the caller's transaction: commit it
     * whatever the result. `consume`: a right code is used up.
     */
    check: (tx: Tx, { code, address, ...of }: CodeFor & { code: string; address: string }, consume: boolean) =>
      store.checkCode(tx, { ...of, hashes: hashesOf(of, code) }, address, consume),

    /**
     * A request by somebody who is not logged in is one write, the same whether or not the account exists; a job then
     * looks whether there is somebody to send a code to. `given`: an e-mail, for `login` a phone number; `address`: the
     * requester's.
     */
    async request(purpose: RequestedPurpose, given: string | undefined, address: string) {
      if (given !== undefined) {
        const subject = purpose === 'login' ? (phoneKey(given, config.DEFAULT_COUNTRY) ?? given) : emailKey(given);
        await database.autocommit((tx) => store.requestCode(tx, { purpose, subject, network: networkOf(address) }));
        wakeJob('codes');
      }
      return { message: texts.codeAsked[purpose] };
    },

    /** Sends it to an active account, to the number that was given or the account's e-mail. */
    answerOwner:
      (find: (tx: Tx, subject: string) => Promise<Owner | undefined>): Answer =>
      async (tx, { purpose, subject, network }) => {
        const owner = await find(tx, subject);
        if (owner?.status !== 'active') return;
        const { id, email, language } = owner;
        const to = purpose === 'login' ? { phone: subject } : { email };
        await send(tx, { purpose, subject, reference: String(id) }, { ...to, network, language });
      },

    /** Job: handles the requests, oldest first. */
    async answer(answers: Record<RequestedPurpose, Answer>): Promise<void> {
      const answerOne = async (tx: Tx): Promise<boolean> => {
        const asked = await store.takeCodeRequest(tx);
        // A replica of the next release may store a purpose that this one does not know.
        const answer: Answer | undefined = asked && answers[asked.purpose];
        if (asked) await answer?.(tx, asked);
        return asked !== undefined;
      };
      while (await database.transact(answerOne));
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
