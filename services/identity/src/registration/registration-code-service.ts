import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { newCode, type CodeHashes } from '../codes/code.ts';
import type { CodeRequests } from '../codes/code-service.ts';
import { checkCode, countAtOnce, replaceCodeNow } from '../codes/code-store.ts';
import type { Delivery } from '../delivery/delivery-service.ts';
import { texts } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import * as store from './registration-store.ts';

/** The form in which phone numbers are compared: E.164 when valid, else as given. */
const comparable = (phone: string, country: string) => phoneKey(phone, country) ?? phone.trim();

/** The address that the code of a submission proves, and the other address that must come with it. */
interface Claim {
  subject: string;
  beside: string;
}
interface Addresses {
  email: string;
  phone_number: string;
}
const emailClaim = (given: Addresses, country: string): Claim => ({
  subject: emailKey(given.email),
  beside: comparable(given.phone_number, country),
});
const phoneClaim = (given: Addresses, phone: string): Claim => ({ subject: phone, beside: emailKey(given.email) });

export type GivenCode = Addresses & { code: string };

/** The codes of pending submissions. */
export function createRegistrationCodes(deps: {
  codeHashes: CodeHashes;
  codeRequests: CodeRequests;
  delivery: Delivery;
  country: string;
}) {
  const { codeHashes, codeRequests, delivery, country } = deps;

  const hashesOf = ({ subject, beside }: Claim, code: string) => codeHashes('register', `${subject} ${beside}`, code);

  /** A new code for a submission, the address that it proves, and its message. `network`: the requester's. */
  function codeFor(waiting: store.Waiting, network: string) {
    const phone = waiting.gauth_type === 'phone_number' ? phoneKey(waiting.phone_number, country) : undefined;
    const claim = phone === undefined ? emailClaim(waiting, country) : phoneClaim(waiting, phone);
    const code = (phone && delivery.testCode(phone)) ?? newCode();
    const message = { code, network, language: waiting.language };
    const send = (tx: Tx, contested: boolean) =>
      phone === undefined
        ? delivery.mailCode(tx, contested ? 'contested' : 'register', { to: waiting.email, ...message })
        : delivery.smsCode(tx, { to: phone, ...message });
    return { claim, code, send };
  }

  /** Rolls back to `counted` when the message is not sent: the unsent code would replace the one that its owner has. */
  async function sendOrTakeBack(
    tx: Tx,
    { claim, code, send }: ReturnType<typeof codeFor>,
    { id, contested }: { id: number; contested: boolean },
  ): Promise<void> {
    const hashes = hashesOf(claim, code);
    await replaceCodeNow(tx, { purpose: 'register', subject: claim.subject, hashes, reference: String(id) });
    const isSent = await send(tx, contested);
    await (isSent ? store.releaseSavepoint(tx, 'counted') : store.rollbackTo(tx, 'counted'));
  }

  return {
    codeFor,
    sendOrTakeBack,

    /** The submission whose code this is. */
    async redeem(tx: Tx, given: GivenCode, address: string): Promise<number | undefined> {
      const phone = phoneKey(given.phone_number, country);
      const claims = [emailClaim(given, country), ...(phone === undefined ? [] : [phoneClaim(given, phone)])];
      for (const claim of claims) {
        const hashes = hashesOf(claim, given.code);
        const { subject } = claim;
        const checked = await checkCode(tx, { purpose: 'register', subject, hashes, address, consume: true });
        if (checked) return Number(checked.reference);
      }
      return undefined;
    },

    /** Always returns the same, whether or not there is a submission. */
    async requestCode(email: string, address: string) {
      await codeRequests.request('register', emailKey(email), address);
      return { message: texts.checkMessages };
    },

    /** Sends a new code for the newest pending submission, within the budget of `register`. */
    async answerRequest(tx: Tx, addressKey: string, network: string): Promise<void> {
      const waiting = await store.newestRegistration(tx, addressKey);
      if (!waiting) return;
      const fresh = codeFor(waiting.submission, network);
      if ((await countAtOnce(tx, 'register', fresh.claim.subject)) > 0) return;
      await store.savepoint(tx, 'counted');
      const reopened = await store.reopenRegistration(tx, waiting.id);
      if (reopened) await sendOrTakeBack(tx, fresh, { id: waiting.id, ...reopened });
    },
  };
}

export type RegistrationCodes = ReturnType<typeof createRegistrationCodes>;
