import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { countAtOnce, type CodeRequest } from '../codes/code-store.ts';
import type { Parts } from '../parts.ts';
import { phoneKey } from '../users/phone.ts';
import * as store from './registration-store.ts';

/** The form in which phone numbers are compared: E.164 when valid, else as given. */
const comparable = (phone: string, country: string) => phoneKey(phone, country) ?? phone.trim();

/** The code of a submission proves `subject`; the other address must come with it. */
const codeOf = (subject: string, beside: string) =>
  ({ purpose: 'register', subject, bound: `${subject} ${beside}` }) as const;

type Addresses = Pick<store.Waiting, 'email' | 'phone_number'>;
const codeByMail = (given: Addresses, country: string) =>
  codeOf(emailKey(given.email), comparable(given.phone_number, country));
const codeBySms = (given: Addresses, phone: string) => codeOf(phone, emailKey(given.email));

export type GivenCode = Addresses & { code: string };

/** The codes of pending submissions. */
export function createRegistrationCodes({ codes, country }: Parts) {
  /** The code of a submission, and where it goes. `network`: the requester's. */
  function codeFor(waiting: store.Waiting, network: string) {
    const phone = waiting.gauth_type === 'phone_number' ? phoneKey(waiting.phone_number, country) : undefined;
    const to = { network, language: waiting.language };
    return phone === undefined
      ? { code: codeByMail(waiting, country), to: { ...to, email: waiting.email } }
      : { code: codeBySms(waiting, phone), to: { ...to, phone } };
  }

  /** Rolls back to `counted` when the message is not sent: the code that its owner has is for the submission before. */
  async function sendOrTakeBack(
    tx: Tx,
    { code, to }: ReturnType<typeof codeFor>,
    { id, contested }: { id: number; contested: boolean },
  ): Promise<void> {
    const letter = contested ? 'contested' : 'register';
    const isSent = await codes.sendNow(tx, { ...code, reference: String(id), letter }, to);
    if (!isSent) await store.rollbackTo(tx, 'counted');
  }

  return {
    codeFor,
    sendOrTakeBack,

    /** The submission whose code this is. */
    async redeem(tx: Tx, given: GivenCode, address: string): Promise<number | undefined> {
      const phone = phoneKey(given.phone_number, country);
      const possible = [codeByMail(given, country), ...(phone === undefined ? [] : [codeBySms(given, phone)])];
      for (const code of possible) {
        const checked = await codes.check(tx, { ...code, code: given.code, address }, true);
        if (checked) return Number(checked.reference);
      }
      return undefined;
    },

    /** Sends a new code for the newest pending submission, within the budget of `register`. */
    async answerRequest(tx: Tx, { subject, network }: CodeRequest): Promise<void> {
      const waiting = await store.newestRegistration(tx, subject);
      if (!waiting) return;
      const fresh = codeFor(waiting.submission, network);
      if ((await countAtOnce(tx, 'register', fresh.code.subject)) > 0) return;
      await store.savepoint(tx, 'counted');
      const reopened = await store.reopenRegistration(tx, waiting.id);
      if (reopened) await sendOrTakeBack(tx, fresh, { id: waiting.id, ...reopened });
    },
  };
}
