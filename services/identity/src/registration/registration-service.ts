import { assertThat } from '@tutoring/shared/kit/errors';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { skillNames } from '../catalogue/catalogue-store.ts';
import { countSend, type CodeRequest } from '../codes/code-store.ts';
import { userKey } from '../credentials/credential-service.ts';
import { notFound, refuseTaken, tooManyAttempts } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import { isSocial, type User, type UserView } from '../users/user.ts';
import { insertAccount, setSkills, type NewAccount } from '../users/user-store.ts';
import type { Submission } from './registration.ts';
import * as store from './registration-store.ts';

const pendingOf = (submission: Submission): store.PendingSubmission => {
  const { password: _password, gauth_token: _token, nonce: _nonce, verified: _verified, ...waiting } = submission;
  return { ...waiting, language: currentLanguage() };
};

function accountOf(
  id: number,
  pending: store.PendingSubmission,
  passwordHash: string | null,
  country: string,
): NewAccount {
  const { platform, gauth_type, name, email, phone_number: phone, language, photo = '', plan = null } = pending;
  const { address = '', city = '', about_me = '', level_study = null, subjects_interest = '' } = pending;
  const { experience = 0, availability = '', bio = null } = pending;
  const key = phoneKey(phone, country);
  return {
    ...{ id, platform, gauth_type, name, email, language, photo, address, city, country: pending.country ?? '' },
    ...{ about_me, level_study, subjects_interest, experience, availability, bio },
    plan_id: platform === 'teacher' ? plan : null,
    // A code by SMS proves no e-mail address.
    email_key: gauth_type === 'phone_number' ? null : emailKey(email),
    phone_number: key ?? phone,
    phone_key: key ?? null,
    password_hash: passwordHash,
  };
}

/** The code proves `subject` and is bound to the submission's other address, which must be entered with it. */
const codeOf = (subject: string, otherAddress: string) =>
  ({ purpose: 'register', subject, bound: `${subject} ${otherAddress}` }) as const;

type Addresses = Pick<store.PendingSubmission, 'email' | 'phone_number'>;
type GivenCode = Addresses & { code: string };

export function createRegistration({ database, credentials, codes, social, tokens, users, country }: Parts) {
  // An invalid phone number is compared as it was entered.
  const codeByMail = ({ email, phone_number: phone }: Addresses) =>
    codeOf(emailKey(email), phoneKey(phone, country) ?? phone.trim());
  const codeBySms = ({ email }: Addresses, phone: string) => codeOf(phone, emailKey(email));

  /** The code of a submission and its recipient. `network`: the client's. */
  function codeFor(pending: store.PendingSubmission, network: string) {
    const phone = pending.gauth_type === 'phone_number' ? phoneKey(pending.phone_number, country) : undefined;
    const to = { network, language: pending.language };
    return phone === undefined
      ? { code: codeByMail(pending), to: { ...to, email: pending.email } }
      : { code: codeBySms(pending, phone), to: { ...to, phone } };
  }

  /** Rolls back to `counted` when no message is sent: the owner's code is then still for the previous submission. */
  async function sendOrRollBack(
    tx: Tx,
    codeAndRecipient: ReturnType<typeof codeFor>,
    registration: { id: number; contested: boolean },
  ) {
    const letter = registration.contested ? 'contested' : 'register';
    const isSent = await codes.sendNow(
      tx,
      { ...codeAndRecipient.code, reference: String(registration.id), letter },
      codeAndRecipient.to,
    );
    if (!isSent) await store.rollbackTo(tx, 'counted');
  }

  /** Consumes the code. Returns the id of its submission; undefined for a wrong code. */
  async function redeem(tx: Tx, given: GivenCode, address: string): Promise<number | undefined> {
    const phone = phoneKey(given.phone_number, country);
    const possible = [codeByMail(given), ...(phone === undefined ? [] : [codeBySms(given, phone)])];
    for (const code of possible) {
      const checked = await codes.check(tx, { ...code, code: given.code, address }, true);
      if (checked) return Number(checked.reference);
    }
    return undefined;
  }

  const hashOf = async ({ email, password }: Submission, address: string) =>
    password === undefined ? null : credentials.hash(password, { account: userKey(emailKey(email)), address });

  /** Whether a submission has the same password as the open submission. */
  async function isSame(
    open: store.OpenSubmission,
    { email, password }: Submission,
    address: string,
  ): Promise<boolean> {
    if (password === undefined || open.password_hash === null) return password === undefined && !open.password_hash;
    const client = { account: userKey(emailKey(email)), address };
    return credentials.queued(client, () => credentials.compare(open.password_hash, password));
  }

  async function createAccount(
    tx: Tx,
    id: number,
    pending: store.PendingSubmission,
    hash: string | null,
  ): Promise<User> {
    await insertAccount(tx, accountOf(id, pending, hash, country));
    await setSkills(tx, id, pending.domains);
    const [user] = await users.publishChange(tx, [id]);
    return user!;
  }

  /** The view of the user after the verification. */
  async function preview(id: number, createdAt: string, pending: store.PendingSubmission): Promise<UserView> {
    return users.view({
      ...accountOf(id, pending, null, country),
      status: 'active',
      domains: await skillNames(database.manager, pending.domains),
      verified: false,
      available: 0,
      created_at: createdAt,
      updated_at: createdAt,
    });
  }

  /** Creates an account immediately: the provider has verified the e-mail. */
  async function registerSocial(submission: Submission, address: string) {
    const { gauth_type: method, gauth_token: token = '', nonce } = submission;
    const proof = await social.prove(method, token, nonce);
    if (proof?.email === undefined || emailKey(proof.email) !== emailKey(submission.email))
      throw invalidField('gauth_token', sentences.selected);
    const hash = await hashOf(submission, address);
    const user = await database
      .transact(async (tx) => {
        const id = await store.nextPersonId(tx);
        const created = await createAccount(tx, id, pendingOf(submission), hash);
        assertThat(await store.insertExternalIdentity(tx, proof, id), () =>
          invalidField('gauth_token', sentences.taken),
        );
        await store.dropRegistration(tx, emailKey(submission.email));
        return created;
      })
      .catch(refuseTaken);
    return { message: texts.registeredAtOnce, user: users.view(user) };
  }

  return {
    /** Handles a request for a new code: for the newest pending submission, within the budget of `register`. */
    async handleCodeRequest(tx: Tx, { subject, network }: CodeRequest): Promise<void> {
      const pending = await store.newestRegistration(tx, subject);
      if (!pending) return;
      const codeAndRecipient = codeFor(pending.submission, network);
      if ((await countSend(tx, 'register', codeAndRecipient.code.subject)) > 0) return;
      await store.savepoint(tx, 'counted');
      const reopened = await store.reopenRegistration(tx, pending.id);
      if (reopened) await sendOrRollBack(tx, codeAndRecipient, { id: pending.id, ...reopened });
    },

    /** Stores the submission until its code is entered. Throws rate_limited above five per address in ten minutes. */
    async register(submission: Submission, address: string) {
      if (isSocial(submission.gauth_type)) return registerSocial(submission, address);
      const pending = pendingOf(submission);
      const passwordHash = await hashOf(submission, address);
      const codeAndRecipient = codeFor(pending, networkOf(address));
      const { subject } = codeAndRecipient.code;
      const addressKey = emailKey(submission.email);
      const storeSubmission = (comparedWith: store.ComparedWith) =>
        database.transact(async (tx) => {
          await store.savepoint(tx, 'asked');
          // Locks the code before the submission, like `verify`.
          const wait = await countSend(tx, 'register', subject);
          if (wait > 0) throw tooManyAttempts(wait);
          await store.savepoint(tx, 'counted');
          const replacement = { subject, addressKey, submission: pending, passwordHash, comparedWith };
          const registration = await store.replaceRegistration(tx, replacement);
          if (registration) await sendOrRollBack(tx, codeAndRecipient, registration);
          else await store.rollbackTo(tx, 'asked');
          return registration;
        });
      for (;;) {
        const open = await store.openRegistration(database.manager, subject);
        const contradicts = open !== undefined && !(await isSame(open, submission, address));
        const stored = await storeSubmission({ id: open?.id ?? null, contradicts });
        // Nothing was stored if a concurrent submission came first: compares with that one.
        if (stored) return { message: texts.registered, user: await preview(stored.id, stored.created_at, pending) };
      }
    },

    /**
     * Creates the account of the submission, without a password if that is contested, and logs it in. Throws not_found
     * for a wrong code.
     */
    async verify(input: GivenCode & { device_name?: string | undefined }, client: RequestInfo) {
      const verified = await database
        .transact(async (tx) => {
          const reference = await redeem(tx, input, client.clientAddress);
          // Returns instead of throwing: a rollback would undo the count of the wrong try.
          const registration = reference === undefined ? undefined : await store.takeRegistration(tx, reference);
          if (!registration) return undefined;
          const { id, submission, contested, password_hash: passwordHash } = registration;
          const user = await createAccount(tx, id, submission, contested ? null : passwordHash);
          const bearer = await tokens.issueLogin(tx, { userId: id, deviceName: input.device_name, client });
          return { ...bearer!, user: users.view(user) };
        })
        .catch(refuseTaken);
      assertThat(verified, () => notFound(texts.restart));
      return { message: texts.verified, ...verified };
    },
  };
}

export type Registration = ReturnType<typeof createRegistration>;
