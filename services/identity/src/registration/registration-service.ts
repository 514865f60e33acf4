import { assertThat } from '@tutoring/shared/kit/errors';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import { DEFAULT_LANGUAGE } from '@tutoring/shared/kit/process/language';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { skillNames } from '../catalogue/catalogue-store.ts';
import * as codes from '../codes/code-service.ts';
import { countSend, type CodeRequest } from '../codes/code-store.ts';
import { userKey } from '../credentials/credential-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import { notFound, refuseTaken, tooManyAttempts } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import { phoneKey } from '../users/phone.ts';
import * as users from '../users/user-service.ts';
import { isSocial, type User, type UserView } from '../users/user.ts';
import { insertAccount, setSkills, type NewAccount } from '../users/user-store.ts';
import * as store from './registration-store.ts';
import type { Submission } from './registration.ts';

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

// An invalid phone number is compared as it was entered.
const codeByMail = ({ country }: Parts, { email, phone_number: phone }: Addresses) =>
  codeOf(emailKey(email), phoneKey(phone, country) ?? phone.trim());

const codeBySms = ({ email }: Addresses, phone: string) => codeOf(phone, emailKey(email));

/** The code of a submission and its recipient. `network`: the client's. */
function codeFor(parts: Parts, pending: store.PendingSubmission, network: string) {
  const phone = pending.gauth_type === 'phone_number' ? phoneKey(pending.phone_number, parts.country) : undefined;
  const to = { network, language: pending.language };
  return phone === undefined
    ? { code: codeByMail(parts, pending), to: { ...to, email: pending.email } }
    : { code: codeBySms(pending, phone), to: { ...to, phone } };
}

/** Rolls back to `counted` when no message is sent: the owner's code is then still for the previous submission. */
async function sendOrRollBack(
  parts: Parts,
  tx: Tx,
  codeAndRecipient: ReturnType<typeof codeFor>,
  registration: { id: number; contested: boolean },
) {
  const letter = registration.contested ? 'contested' : 'register';
  const isSent = await codes.sendNow(
    parts,
    tx,
    { ...codeAndRecipient.code, reference: String(registration.id), letter },
    codeAndRecipient.to,
  );
  if (!isSent) await store.rollbackTo(tx, 'counted');
}

/** Consumes the code. Returns the id of its submission; undefined for a wrong code. */
async function redeem(parts: Parts, tx: Tx, given: GivenCode, address: string): Promise<number | undefined> {
  const phone = phoneKey(given.phone_number, parts.country);
  const possible = [codeByMail(parts, given), ...(phone === undefined ? [] : [codeBySms(given, phone)])];
  for (const code of possible) {
    const checked = await codes.check(parts, tx, { ...code, code: given.code, address }, true);
    if (checked) return Number(checked.reference);
  }
  return undefined;
}

const hashOf = async (parts: Parts, { email, password }: Submission, address: string) =>
  password === undefined ? null : credentials.hash(parts, password, { account: userKey(emailKey(email)), address });

/** Whether a submission has the same password as the open submission. */
async function isSame(parts: Parts, open: store.OpenSubmission, { email, password }: Submission, address: string) {
  if (password === undefined || open.password_hash === null) return password === undefined && !open.password_hash;
  const client = { account: userKey(emailKey(email)), address };
  return credentials.queued(parts, client, () => credentials.compare(parts, open.password_hash, password));
}

async function createAccount(
  parts: Parts,
  tx: Tx,
  id: number,
  pending: store.PendingSubmission,
  hash: string | null,
): Promise<User> {
  await insertAccount(tx, accountOf(id, pending, hash, parts.country));
  await setSkills(tx, id, pending.domains);
  const [user] = await users.publishChange(parts, tx, [id]);
  // Support writes to people without a device, too.
  if (pending.language !== DEFAULT_LANGUAGE) await tokens.publishDevices(tx, [id]);
  return user!;
}

/** The view of the user after the verification. */
async function preview(
  parts: Parts,
  id: number,
  createdAt: string,
  pending: store.PendingSubmission,
): Promise<UserView> {
  return users.view(parts, {
    ...accountOf(id, pending, null, parts.country),
    status: 'active',
    domains: await skillNames(parts.database.manager, pending.domains),
    verified: false,
    available: 0,
    created_at: createdAt,
    updated_at: createdAt,
  });
}

/** Creates an account immediately: the provider has verified the e-mail. */
async function registerSocial(parts: Parts, submission: Submission, address: string) {
  const { gauth_type: method, gauth_token: token = '', nonce } = submission;
  const proof = await parts.prove(method, token, nonce);
  if (proof?.email === undefined || emailKey(proof.email) !== emailKey(submission.email))
    throw invalidField('gauth_token', sentences.selected);
  const hash = await hashOf(parts, submission, address);
  const user = await parts.database
    .transact(async (tx) => {
      const id = await store.nextPersonId(tx);
      const created = await createAccount(parts, tx, id, pendingOf(submission), hash);
      assertThat(await store.insertExternalIdentity(tx, proof, id), () => invalidField('gauth_token', sentences.taken));
      await store.dropRegistration(tx, emailKey(submission.email));
      return created;
    })
    .catch(refuseTaken);
  return { message: texts.registeredAtOnce, user: users.view(parts, user) };
}

/** Handles a request for a new code: for the newest pending submission, within the budget of `register`. */
export async function handleCodeRequest(parts: Parts, tx: Tx, { subject, network }: CodeRequest): Promise<void> {
  const pending = await store.newestRegistration(tx, subject);
  if (!pending) return;
  const codeAndRecipient = codeFor(parts, pending.submission, network);
  if ((await countSend(tx, 'register', codeAndRecipient.code.subject)) > 0) return;
  await store.savepoint(tx, 'counted');
  const reopened = await store.reopenRegistration(tx, pending.id);
  if (reopened) await sendOrRollBack(parts, tx, codeAndRecipient, { id: pending.id, ...reopened });
}

/** Stores the submission until its code is entered. Throws rate_limited above five per address in ten minutes. */
export async function register(parts: Parts, submission: Submission, address: string) {
  if (isSocial(submission.gauth_type)) return registerSocial(parts, submission, address);
  const pending = pendingOf(submission);
  const passwordHash = await hashOf(parts, submission, address);
  const codeAndRecipient = codeFor(parts, pending, networkOf(address));
  const { subject } = codeAndRecipient.code;
  const addressKey = emailKey(submission.email);
  const storeSubmission = (comparedWith: store.ComparedWith) =>
    parts.database.transact(async (tx) => {
      await store.savepoint(tx, 'asked');
      // Locks the code before the submission, like `verify`.
      const wait = await countSend(tx, 'register', subject);
      if (wait > 0) throw tooManyAttempts(wait);
      await store.savepoint(tx, 'counted');
      const replacement = { subject, addressKey, submission: pending, passwordHash, comparedWith };
      const registration = await store.replaceRegistration(tx, replacement);
      if (registration) await sendOrRollBack(parts, tx, codeAndRecipient, registration);
      else await store.rollbackTo(tx, 'asked');
      return registration;
    });
  for (;;) {
    const open = await store.openRegistration(parts.database.manager, subject);
    const contradicts = open !== undefined && !(await isSame(parts, open, submission, address));
    const stored = await storeSubmission({ id: open?.id ?? null, contradicts });
    // Nothing was stored if a concurrent submission came first: compares with that one.
    if (stored) return { message: texts.registered, user: await preview(parts, stored.id, stored.created_at, pending) };
  }
}

/**
 * Creates the account of the submission, without a password if that is contested, and logs it in. Throws not_found
 * for a wrong code.
 */
export async function verify(
  parts: Parts,
  input: GivenCode & { device_name?: string | undefined },
  client: RequestInfo,
) {
  const verified = await parts.database
    .transact(async (tx) => {
      const reference = await redeem(parts, tx, input, client.clientAddress);
      // Returns instead of throwing: a rollback would undo the count of the wrong try.
      const registration = reference === undefined ? undefined : await store.takeRegistration(tx, reference);
      if (!registration) return undefined;
      const { id, submission, contested, password_hash: passwordHash } = registration;
      const user = await createAccount(parts, tx, id, submission, contested ? null : passwordHash);
      const bearer = await tokens.issueLogin(parts, tx, { userId: id, deviceName: input.device_name, client });
      return { ...bearer!, user: users.view(parts, user) };
    })
    .catch(refuseTaken);
  assertThat(verified, () => notFound(texts.restart));
  return { message: texts.verified, ...verified };
}
