import { fill } from '@tutoring/shared/language/localized';
import { currentLanguage } from '@tutoring/shared/process/context';
import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { assertThat, invalid } from '@tutoring/shared/errors';
import { invalidField, sentences, type RuleViolation, type ValidFields } from '@tutoring/shared/http/read/validation';
import { networkOf } from '@tutoring/shared/process/client-network';
import type { Contact } from '../delivery/delivery-service.ts';
import { violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import type { Login } from '../users/user.ts';
import { loginByEmail, loginByPhone, type AccountChange } from '../users/user-store.ts';
import type { ProfileInput } from './profile.ts';

type Given = ValidFields<ProfileInput>;
type Change = { purpose: 'email' | 'phone'; to: string; key: string };

/** A request for a change: the account, the change, the input and the client's address. */
interface Request {
  account: Login;
  change: Change;
  input: ProfileInput;
  address: string;
}

/** A code that a change needs: the field of the input that holds it, and where it is sent. */
interface Needed {
  field: 'code' | 'old_code';
  purpose: 'email' | 'phone' | 'change';
  to: Contact;
}

/** How to reach the owner of an account. */
const contactOf = ({ gauth_type, phone_key, email }: Login): Contact =>
  gauth_type === 'phone_number' && phone_key !== null ? { phone: phone_key } : { email };

/** A code to the new address; an account without a password also needs a code to the old one. */
function needs(account: Login, { purpose, to }: Change): Needed[] {
  const fresh: Needed = { field: 'code', purpose, to: purpose === 'phone' ? { phone: to } : { email: to } };
  return account.password_hash === null
    ? [fresh, { field: 'old_code', purpose: 'change', to: contactOf(account) }]
    : [fresh];
}

/** A new e-mail or phone number takes effect with the code that was sent there and a proof by the owner. */
export function createAddressChange({ database, codes, delivery, country }: Parts) {
  const { manager } = database;

  function newPhone(account: Login, { phone_number: phone }: Given): Change | undefined {
    if (phone === undefined || phone === account.phone_number) return undefined;
    const key = phoneKey(phone, country);
    return key === undefined || key === account.phone_key ? undefined : { purpose: 'phone', to: key, key };
  }

  /** The own e-mail, in any spelling, is no change. An unproven one is to be proven when a proof comes with it alone. */
  function newEmail(account: Login, given: Given): Change | undefined {
    const { email, current_password: password, code, old_code: oldCode } = given;
    if (email === undefined) return undefined;
    const key = emailKey(email);
    const isOwn = key === (account.email_key ?? emailKey(account.email));
    const isProof =
      account.email_key === null && !newPhone(account, given) && (password ?? code ?? oldCode) !== undefined;
    return isOwn && !isProof ? undefined : { purpose: 'email', to: email, key };
  }

  /** The other account that has it. The unique constraints decide between two at the same moment. */
  const holderOf = async (account: Login, { purpose, key }: Change): Promise<Login | undefined> => {
    if (purpose === 'email') return key === account.email_key ? undefined : loginByEmail(manager, key);
    return account.gauth_type === 'phone_number' ? loginByPhone(manager, key) : undefined;
  };

  /** Bound to the change: a code is good for this new address alone. */
  const codeFor = (account: Login, change: Change, { purpose }: Needed) => {
    const subject = `user:${account.id}`;
    return { purpose, subject, bound: `${subject} ${change.key}` };
  };

  const send = ({ account, change, address }: Request, needed: Needed): Promise<void> => {
    const code = { ...codeFor(account, change, needed), reference: change.key };
    const to = { ...needed.to, network: networkOf(address), language: currentLanguage() };
    return database.transact((tx) => codes.send(tx, code, to));
  };

  async function isRight(tx: Tx, request: Request, needed: Needed, consume: boolean): Promise<boolean> {
    const { account, change, input, address } = request;
    const entered = { ...codeFor(account, change, needed), code: input[needed.field] ?? '', address };
    return (await codes.check(tx, entered, consume)) !== undefined;
  }

  return {
    /** The requested change, if any; `rules` checks it. */
    requestedChange: (account: Login, input: Given): Change | undefined =>
      newEmail(account, input) ?? newPhone(account, input),

    /** One change at a time, to an address that nobody else has, with the password if the account has one. */
    async rules(account: Login, given: Given): Promise<RuleViolation[]> {
      const email = newEmail(account, given);
      const phone = newPhone(account, given);
      const { phone_number: number = account.phone_number } = given;
      const isNoPhone = number !== account.phone_number && phoneKey(number, country) === undefined;
      const isLogin = account.gauth_type === 'phone_number';
      const isNoLogin = isLogin && phone !== undefined && !delivery.isLoginNumber(phone.key);
      const isOpen = account.password_hash !== null && given.current_password === undefined;
      return violations(
        [email && (await holderOf(account, email)), 'email', sentences.taken],
        [isNoPhone || isNoLogin, 'phone_number', texts.phoneInvalid],
        [phone && (await holderOf(account, phone)), 'phone_number', sentences.taken],
        [email && phone, 'phone_number', texts.oneAtATime],
        [isOpen && (email ?? phone), 'current_password', sentences.requiredWith(email ? 'email' : 'phone_number')],
      );
    },

    /**
     * Throws invalid unless every code that the change needs is given and right; uses none up. While one is missing,
     * sends those that are not right yet.
     */
    async assertConfirmed(request: Request): Promise<void> {
      const { account, change, input } = request;
      const isMissing = ({ field }: Needed) => input[field] === undefined;
      const open: Needed[] = [];
      for (const needed of needs(account, change))
        if (isMissing(needed) || !(await database.transact((tx) => isRight(tx, request, needed, false))))
          open.push(needed);
      if (open.length === 0) return;
      if (open.some(isMissing)) for (const needed of open) await send(request, needed);
      const textOf = (needed: Needed) =>
        isMissing(needed) ? fill(texts.codeSent, { field: needed.field }) : texts.codeInvalid;
      throw invalid(Object.fromEntries(open.map((needed) => [needed.field, [textOf(needed)]])));
    },

    /** Uses the codes up and returns the columns to set. Throws invalid for a code that has been used meanwhile. */
    async consumeCodes(tx: Tx, request: Request): Promise<AccountChange> {
      const { account, change } = request;
      for (const needed of needs(account, change))
        assertThat(await isRight(tx, request, needed, true), () => invalidField(needed.field, texts.codeInvalid));
      const { purpose, to, key } = change;
      return purpose === 'email' ? { email: to, email_key: key } : { phone_number: to, phone_key: key };
    },

    /** Writes to the old address, unless it is an unproven e-mail, which may be somebody else's. */
    async notifyOwner(tx: Tx, account: Login, { purpose }: Change): Promise<void> {
      const isOldEmail = purpose === 'email' && account.email_key !== null;
      const to = isOldEmail ? { email: account.email } : contactOf(account);
      await delivery.notify(tx, to, purpose === 'email' ? 'emailChanged' : 'phoneChanged');
    },
  };
}
