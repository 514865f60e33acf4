import type { Database, Tx } from '@tutoring/shared/database/open';
import type { KeyPair } from '@tutoring/shared/process/config';
import type { Language } from '@tutoring/shared/process/language';
import type { Delivery } from '../delivery/delivery-service.ts';
import { networkOf } from '@tutoring/shared/process/client-network';
import type { CodePurpose, LetterPurpose } from '../texts.ts';
import { createCodeHashes, newCode } from './code.ts';
import * as store from './code-store.ts';

interface CodeFor {
  purpose: CodePurpose;
  /** The account or the address that tries are counted for. */
  subject: string;
  /** What the code is bound to; the subject unless it is more than that. */
  bound?: string;
}

/** Where a code goes: by mail, by SMS, or both; and the network of the client that caused it. */
interface Recipient {
  email?: string | undefined;
  phone?: string | undefined;
  network: string;
  /** Language of the reader's last request. */
  language: Language;
}

/** Sends a code if there is somebody to send it to. `network`: the requester's. */
export type Answer = (tx: Tx, subject: string, network: string) => Promise<void>;

/** Codes of six digits that prove an address. */
export function createCodes(deps: { database: Database; keys: KeyPair[]; delivery: Delivery; wake: () => void }) {
  const { database, delivery, wake } = deps;
  const hashesBy = createCodeHashes(deps.keys);
  const hashesOf = ({ purpose, subject, bound = subject }: CodeFor, code: string) => hashesBy(purpose, bound, code);

  const codeTo = ({ phone }: Recipient) => (phone !== undefined && delivery.testCode(phone)) || newCode();

  /** Returns whether a message with the code is sent. */
  async function deliver(tx: Tx, letter: LetterPurpose, { email, phone, ...rest }: Recipient, code: string) {
    const isMailed = email !== undefined && (await delivery.mailCode(tx, letter, { to: email, code, ...rest }));
    const isTexted = phone !== undefined && (await delivery.smsCode(tx, { to: phone, code, ...rest }));
    return isMailed || isTexted;
  }

  return {
    /**
     * What the code refers to; undefined when it is wrong. Counts a wrong try, in the caller's transaction: commit it
     * whatever the result. `consume`: a right code is used up.
     */
    check: (tx: Tx, { code, address, ...of }: CodeFor & { code: string; address: string }, consume: boolean) =>
      store.checkCode(tx, { ...of, hashes: hashesOf(of, code), address, consume }),

    /**
     * Replaces the code by a new one, unless one was sent within 60 seconds. When no message is sent the present code
     * stays good.
     */
    send(tx: Tx, { reference, ...of }: CodeFor & { reference: string | null }, to: Recipient): Promise<void> {
      const code = codeTo(to);
      return store.replaceCode(tx, { ...of, hashes: hashesOf(of, code), reference }, () =>
        deliver(tx, of.purpose, to, code),
      );
    },

    /** Replaces the code by a new one, however recently one was sent. Returns whether a message is sent. */
    async sendNow(
      tx: Tx,
      { reference, letter, ...of }: CodeFor & { reference: string; letter: LetterPurpose },
      to: Recipient,
    ): Promise<boolean> {
      const code = codeTo(to);
      await store.replaceCodeNow(tx, { ...of, hashes: hashesOf(of, code), reference });
      return deliver(tx, letter, to, code);
    },

    /**
     * A request by somebody who is not logged in is one write, the same whether or not the account exists; a job then
     * looks whether there is somebody to send a code to. `subject`: key of an e-mail or phone number; `address`: the
     * requester's.
     */
    async request(purpose: store.RequestedPurpose, subject: string, address: string): Promise<void> {
      await database.autocommit((tx) => store.requestCode(tx, purpose, subject, networkOf(address)));
      wake();
    },

    /** Job: handles the requests, oldest first. */
    async answer(answers: Record<store.RequestedPurpose, Answer>): Promise<void> {
      const answerOne = async (tx: Tx): Promise<boolean> => {
        const asked = await store.takeCodeRequest(tx);
        // A replica of the next release may store a purpose that this one does not know.
        const answer: Answer | undefined = asked && answers[asked.purpose];
        if (asked) await answer?.(tx, asked.subject, asked.network);
        return asked !== undefined;
      };
      while (await database.transact(answerOne));
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
