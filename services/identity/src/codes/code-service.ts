import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Language } from '@tutoring/shared/kit/process/language';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import type { Deps } from '../config.ts';
import type { Delivery, Recipient } from '../delivery/delivery-service.ts';
import { texts, type CodePurpose, type LetterPurpose, type RequestedPurpose } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import { codeHashes, newCode } from './code.ts';
import * as store from './code-store.ts';

interface CodeKey {
  purpose: CodePurpose;
  /** The account or address that wrong tries are counted for. */
  subject: string;
  /** The text that the code is bound to; the subject by default. */
  bound?: string;
}

interface NewCode extends CodeKey {
  /** Returned by a successful `check`. */
  reference: string | null;
  letter: LetterPurpose;
}

/** Handles a request for a code: sends one if an account matches. */
type RequestHandler = (tx: Tx, request: store.CodeRequest) => Promise<void>;

type Owner = { id: number; status: string; email: string; language: Language };

/** Six-digit codes that prove control of an address. */
export function createCodes({ config, database, wakeJob, delivery }: Deps & { delivery: Delivery }) {
  const hashesOf = ({ purpose, subject, bound = subject }: CodeKey, code: string) =>
    codeHashes(config.CODE_KEYS, purpose, bound, code);

  /** Sends a new code that replaces the current one. Returns false, and keeps the current one, beyond a send budget. */
  async function sendNow(tx: Tx, { reference, letter, ...of }: NewCode, to: Recipient): Promise<boolean> {
    const code = (to.phone !== undefined && delivery.testCode(to.phone)) || newCode();
    const isSent = await delivery.sendCode(tx, letter, code, to);
    if (isSent) await store.saveCode(tx, { ...of, hashes: hashesOf(of, code), reference });
    return isSent;
  }

  /** Like `sendNow`, unless a code was sent within the last 60 seconds. */
  async function send(tx: Tx, code: Omit<NewCode, 'letter'>, to: Recipient): Promise<void> {
    if (await store.lockUnlessRecent(tx, code)) await sendNow(tx, { ...code, letter: code.purpose }, to);
  }

  return {
    send,
    sendNow,

    /**
     * Returns the reference of a right code, else undefined. Counts a wrong try in the caller's transaction, so commit
     * it whatever the result. `consume`: a right code cannot be used again.
     */
    check: (tx: Tx, { code, address, ...of }: CodeKey & { code: string; address: string }, consume: boolean) =>
      store.checkCode(tx, { ...of, hashes: hashesOf(of, code) }, address, consume),

    /**
     * Queues a request by an anonymous client: one write, whether or not the account exists. A job looks the account up
     * and sends the code. `given`: an e-mail, or a phone number for `login`; `address`: the client's.
     */
    async request(purpose: RequestedPurpose, given: string | undefined, address: string) {
      if (given !== undefined) {
        const subject = purpose === 'login' ? (phoneKey(given, config.DEFAULT_COUNTRY) ?? given) : emailKey(given);
        await database.autocommit((tx) => store.requestCode(tx, { purpose, subject, network: networkOf(address) }));
        wakeJob('codes');
      }
      return { message: texts.codeAsked[purpose] };
    },

    /** Sends a code to an active account: for `login` to the requested number, else to the account's e-mail. */
    sendToOwner:
      (find: (tx: Tx, subject: string) => Promise<Owner | undefined>): RequestHandler =>
      async (tx, { purpose, subject, network }) => {
        const owner = await find(tx, subject);
        if (owner?.status !== 'active') return;
        const { id, email, language } = owner;
        const to = purpose === 'login' ? { phone: subject } : { email };
        await send(tx, { purpose, subject, reference: String(id) }, { ...to, network, language });
      },

    /** Job: handles queued requests, oldest first. */
    async handleRequests(handlers: Record<RequestedPurpose, RequestHandler>): Promise<void> {
      const handleOne = async (tx: Tx): Promise<boolean> => {
        const request = await store.takeCodeRequest(tx);
        // A replica of the next release may store a purpose that this one does not know.
        const handler: RequestHandler | undefined = request && handlers[request.purpose];
        if (request) await handler?.(tx, request);
        return request !== undefined;
      };
      while (await database.transact(handleOne));
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
