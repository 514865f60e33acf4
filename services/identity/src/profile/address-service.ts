import { fill } from '@tutoring/shared/kit/language/localized';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { assertThat, invalid } from '@tutoring/shared/kit/errors';
import {
  invalidField,
  sentences,
  type RuleViolation,
  type ValidFields,
} from '@tutoring/shared/kit/http/read/validation';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import * as codes from '../codes/code-service.ts';
import type { Contact } from '../delivery/delivery-service.ts';
import * as delivery from '../delivery/delivery-service.ts';
import { violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import type { Login } from '../users/user.ts';
import { loginByEmail, loginByPhone, type AccountChange } from '../users/user-store.ts';
import type { ProfileInput } from './profile.ts';

type ValidInput = ValidFields<ProfileInput>;
type Change = { purpose: 'email' | 'phone'; to: string; key: string };

/** A request to change an address; `address`: the client's. */
interface Request {
  account: Login;
  change: Change;
  input: ProfileInput;
  address: string;
}

/** A code that a change needs: the field of the input, the purpose and the recipient. */
interface RequiredCode {
  field: 'code' | 'old_code';
  purpose: 'email' | 'phone' | 'change';
  to: Contact;
}

/** The address of an account's owner for codes and notices. */
const contactOf = ({ gauth_type, phone_key, email }: Login): Contact =>
  gauth_type === 'phone_number' && phone_key !== null ? { phone: phone_key } : { email };

/** A code to the new address; an account without a password also needs a code to the old one. */
function requiredCodes(account: Login, { purpose, to }: Change): RequiredCode[] {
  const toNewAddress: RequiredCode = {
    field: 'code',
    purpose,
    to: purpose === 'phone' ? { phone: to } : { email: to },
  };
  return account.password_hash === null
    ? [toNewAddress, { field: 'old_code', purpose: 'change', to: contactOf(account) }]
    : [toNewAddress];
}

/* Changes of e-mail or phone number: they need a code sent to the new address, and the password or a second code. */

function newPhone({ country }: Parts, account: Login, { phone_number: phone }: ValidInput): Change | undefined {
  if (phone === undefined || phone === account.phone_number) return undefined;
  const key = phoneKey(phone, country);
  return key === undefined || key === account.phone_key ? undefined : { purpose: 'phone', to: key, key };
}

/** The own e-mail, in any spelling, is no change, unless it is unproven and sent with a password or code. */
function newEmail(parts: Parts, account: Login, given: ValidInput): Change | undefined {
  const { email, current_password: password, code, old_code: oldCode } = given;
  if (email === undefined) return undefined;
  const key = emailKey(email);
  const isOwn = key === (account.email_key ?? emailKey(account.email));
  const isProof =
    account.email_key === null && !newPhone(parts, account, given) && (password ?? code ?? oldCode) !== undefined;
  return isOwn && !isProof ? undefined : { purpose: 'email', to: email, key };
}

/** Another account with the address. Unique constraints decide between concurrent changes. */
async function holderOf(parts: Parts, account: Login, { purpose, key }: Change): Promise<Login | undefined> {
  if (purpose === 'email') return key === account.email_key ? undefined : loginByEmail(parts.database.manager, key);
  return account.gauth_type === 'phone_number' ? loginByPhone(parts.database.manager, key) : undefined;
}

/** Binds the code to the new address: it is not valid for another one. */
function codeFor(account: Login, change: Change, { purpose }: RequiredCode) {
  const subject = `user:${account.id}`;
  return { purpose, subject, bound: `${subject} ${change.key}` };
}

function send(parts: Parts, { account, change, address }: Request, needed: RequiredCode): Promise<void> {
  const code = { ...codeFor(account, change, needed), reference: change.key };
  const to = { ...needed.to, network: networkOf(address), language: currentLanguage() };
  return parts.database.transact((tx) => codes.send(parts, tx, code, to));
}

async function isRight(parts: Parts, tx: Tx, request: Request, needed: RequiredCode, consume: boolean) {
  const { account, change, input, address } = request;
  const entered = { ...codeFor(account, change, needed), code: input[needed.field] ?? '', address };
  return (await codes.check(parts, tx, entered, consume)) !== undefined;
}

/** The requested change, if any; `rules` validates it. */
export const requestedChange = (parts: Parts, account: Login, input: ValidInput): Change | undefined =>
  newEmail(parts, account, input) ?? newPhone(parts, account, input);

/** One change at a time, to an unused address, with the current password if the account has one. */
export async function rules(parts: Parts, account: Login, given: ValidInput): Promise<RuleViolation[]> {
  const email = newEmail(parts, account, given);
  const phone = newPhone(parts, account, given);
  const { phone_number: number = account.phone_number } = given;
  const isNoPhone = number !== account.phone_number && phoneKey(number, parts.country) === undefined;
  const isLogin = account.gauth_type === 'phone_number';
  const isNoLogin = isLogin && phone !== undefined && !delivery.isLoginNumber(parts, phone.key);
  const isOpen = account.password_hash !== null && given.current_password === undefined;
  return violations(
    [email && (await holderOf(parts, account, email)), 'email', sentences.taken],
    [isNoPhone || isNoLogin, 'phone_number', texts.phoneInvalid],
    [phone && (await holderOf(parts, account, phone)), 'phone_number', sentences.taken],
    [email && phone, 'phone_number', texts.oneAtATime],
    [isOpen && (email ?? phone), 'current_password', sentences.requiredWith(email ? 'email' : 'phone_number')],
  );
}

/**
 * Throws invalid unless the input has every code that the change needs, and all are right; consumes none. If one is
 * missing, sends the missing and the wrong codes.
 */
export async function assertConfirmed(parts: Parts, request: Request): Promise<void> {
  const { account, change, input } = request;
  const isMissing = ({ field }: RequiredCode) => input[field] === undefined;
  const open: RequiredCode[] = [];
  for (const needed of requiredCodes(account, change))
    if (isMissing(needed) || !(await parts.database.transact((tx) => isRight(parts, tx, request, needed, false))))
      open.push(needed);
  if (open.length === 0) return;
  if (open.some(isMissing)) for (const needed of open) await send(parts, request, needed);
  const textOf = (needed: RequiredCode) =>
    isMissing(needed) ? fill(texts.codeSent, { field: needed.field }) : texts.codeInvalid;
  throw invalid(Object.fromEntries(open.map((needed) => [needed.field, [textOf(needed)]])));
}

/** Consumes the codes and returns the columns to set. Throws invalid if a code was consumed concurrently. */
export async function consumeCodes(parts: Parts, tx: Tx, request: Request): Promise<AccountChange> {
  const { account, change } = request;
  for (const needed of requiredCodes(account, change))
    assertThat(await isRight(parts, tx, request, needed, true), () => invalidField(needed.field, texts.codeInvalid));
  const { purpose, to, key } = change;
  return purpose === 'email' ? { email: to, email_key: key } : { phone_number: to, phone_key: key };
}

/** Notifies the old address, unless it is an unproven e-mail, which may be somebody else's. */
export async function notifyOwner(parts: Parts, tx: Tx, account: Login, { purpose }: Change): Promise<void> {
  const isOldEmail = purpose === 'email' && account.email_key !== null;
  const to = isOldEmail ? { email: account.email } : contactOf(account);
  await delivery.notify(parts, tx, to, purpose === 'email' ? 'emailChanged' : 'phoneChanged');
}
