import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { countAtOnce, type CodeRequest } from '../codes/code-store.ts';
import type { Parts } from '../parts.ts';
import { phoneKey } from '../users/phone.ts';
import * as store from './registration-store.ts';

/** The form in which phone numbers are compared: E.164 when valid, else as given. */
const comparable = (phone: string, country: string) => phoneKey(phone, country) ?? phone.trim();

/** The address that the code of a submission proves, and the other address that must come with it. */
interface Claim {
  subject: string;
  beside: string;
}
type Addresses = Pick<store.Waiting, 'email' | 'phone_number'>;
const emailClaim = (given: Addresses, country: string): Claim => ({
  subject: emailKey(given.email),
  beside: comparable(given.phone_number, country),
});
const phoneClaim = (given: Addresses, phone: string): Claim => ({ subject: phone, beside: emailKey(given.email) });

export type GivenCode = Addresses & { code: string };

const codeOf = ({ subject, beside }: Claim) =>
  ({ purpose: 'register', subject, bound: `${subject} ${beside}` }) as const;

/** The codes of pending submissions. */
export function createRegistrationCodes({ codes, country }: Parts) {
  /** The address that a submission's code proves, and where the code goes. `network`: the requester's. */
  function codeFor(waiting: store.Waiting, network: string) {
    const phone = waiting.gauth_type === 'phone_number' ? phoneKey(waiting.phone_number, country) : undefined;
    const claim = phone === undefined ? emailClaim(waiting, country) : phoneClaim(waiting, phone);
    const address = phone === undefined ? { email: waiting.email } : { phone };
    return { claim, to: { ...address, network, language: waiting.language } };
  }

  /** Rolls back to `counted` when the message is not sent: the code that its owner has is for the submission before. */
  async function sendOrTakeBack(
    tx: Tx,
    { claim, to }: ReturnType<typeof codeFor>,
    { id, contested }: { id: number; contested: boolean },
  ): Promise<void> {
    const letter = contested ? 'contested' : 'register';
    const isSent = await codes.sendNow(tx, { ...codeOf(claim), reference: String(id), letter }, to);
    if (!isSent) await store.rollbackTo(tx, 'counted');
  }

  return {
    codeFor,
    sendOrTakeBack,

    /** The submission whose code this is. */
    async redeem(tx: Tx, given: GivenCode, address: string): Promise<number | undefined> {
      const phone = phoneKey(given.phone_number, country);
      const claims = [emailClaim(given, country), ...(phone === undefined ? [] : [phoneClaim(given, phone)])];
      for (const claim of claims) {
        const checked = await codes.check(tx, { ...codeOf(claim), code: given.code, address }, true);
        if (checked) return Number(checked.reference);
      }
      return undefined;
    },

    /** Sends a new code for the newest pending submission, within the budget of `register`. */
    async answerRequest(tx: Tx, { subject, network }: CodeRequest): Promise<void> {
      const waiting = await store.newestRegistration(tx, subject);
      if (!waiting) return;
      const fresh = codeFor(waiting.submission, network);
      if ((await countAtOnce(tx, 'register', fresh.claim.subject)) > 0) return;
      await store.savepoint(tx, 'counted');
      const reopened = await store.reopenRegistration(tx, waiting.id);
      if (reopened) await sendOrTakeBack(tx, fresh, { id: waiting.id, ...reopened });
    },
  };
}
