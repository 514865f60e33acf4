import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Language } from '@tutoring/shared/kit/process/language';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import type { Recipient } from '../delivery/delivery-service.ts';
import * as delivery from '../delivery/delivery-service.ts';
import type { Parts } from '../parts.ts';
import { texts, type CodePurpose, type LetterPurpose, type RequestedPurpose } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import * as store from './code-store.ts';
import { codeHashes, newCode } from './code.ts';

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

/* Six-digit codes that prove control of an address. */

const hashesOf = ({ config }: Parts, { purpose, subject, bound = subject }: CodeKey, code: string) =>
  codeHashes(config.CODE_KEYS, purpose, bound, code);

/** Sends a new code that replaces the current one. Returns false, and keeps the current one, beyond a send budget. */
export async function sendNow(parts: Parts, tx: Tx, { reference, letter, ...of }: NewCode, to: Recipient) {
  const code = (to.phone !== undefined && delivery.testCode(parts, to.phone)) || newCode();
  const isSent = await delivery.sendCode(parts, tx, letter, code, to);
  if (isSent) await store.saveCode(tx, { ...of, hashes: hashesOf(parts, of, code), reference });
  return isSent;
}

/** Like `sendNow`, unless a code was sent within the last 60 seconds. */
export async function send(parts: Parts, tx: Tx, code: Omit<NewCode, 'letter'>, to: Recipient): Promise<void> {
  if (await store.lockUnlessRecent(tx, code)) await sendNow(parts, tx, { ...code, letter: code.purpose }, to);
}

/**
 * Returns the reference of a right code, else undefined. Counts a wrong try in the caller's transaction, so commit
 * it whatever the result. `consume`: a right code cannot be used again.
 */
export const check = (
  parts: Parts,
  tx: Tx,
  { code, address, ...of }: CodeKey & { code: string; address: string },
  consume: boolean,
) => store.checkCode(tx, { ...of, hashes: hashesOf(parts, of, code) }, address, consume);

/**
 * Queues a request by an anonymous client: one write, whether or not the account exists. A job looks the account up
 * and sends the code. `given`: an e-mail, or a phone number for `login`; `address`: the client's.
 */
export async function request(
  { config, database, wakeJob }: Parts,
  purpose: RequestedPurpose,
  given: string | undefined,
  address: string,
) {
  if (given !== undefined) {
    const subject = purpose === 'login' ? (phoneKey(given, config.DEFAULT_COUNTRY) ?? given) : emailKey(given);
    await database.autocommit((tx) => store.requestCode(tx, { purpose, subject, network: networkOf(address) }));
    wakeJob('codes');
  }
  return { message: texts.codeAsked[purpose] };
}

/** Sends a code to an active account: for `login` to the requested number, else to the account's e-mail. */
export const sendToOwner =
  (parts: Parts, find: (tx: Tx, subject: string) => Promise<Owner | undefined>): RequestHandler =>
  async (tx, { purpose, subject, network }) => {
    const owner = await find(tx, subject);
    if (owner?.status !== 'active') return;
    const { id, email, language } = owner;
    const to = purpose === 'login' ? { phone: subject } : { email };
    await send(parts, tx, { purpose, subject, reference: String(id) }, { ...to, network, language });
  };

/** Job: handles queued requests, oldest first. */
export async function handleRequests({ database }: Parts, handlers: Record<RequestedPurpose, RequestHandler>) {
  const handleOne = async (tx: Tx): Promise<boolean> => {
    const request = await store.takeCodeRequest(tx);
    // A replica of the next release may store a purpose that this one does not know.
    const handler: RequestHandler | undefined = request && handlers[request.purpose];
    if (request) await handler?.(tx, request);
    return request !== undefined;
  };
  while (await database.transact(handleOne));
}
