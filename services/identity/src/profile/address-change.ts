import type { Database } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/email';
import { invalidField, sentences } from '@tutoring/shared/http/validation';
import { newCode, type CodeHashes } from '../codes/code.ts';
import { checkCode, replaceCode } from '../codes/code-store.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { texts } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import { emailTaken, loginPhoneTaken, type Login, type ProfileFields } from '../users/user-store.ts';
import type { ProfileInput } from './profile.ts';

type Change = { purpose: 'email' | 'phone'; to: string; key: string };

/** A new e-mail or phone number takes effect with the code that was sent there. */
export function createAddressChange(deps: {
  database: Database;
  codeHashes: CodeHashes;
  delivery: Delivery;
  country: string;
}) {
  const { database, codeHashes, delivery, country } = deps;
  const { manager } = database;

  async function newEmail(account: Login, email: string | undefined): Promise<Change | undefined> {
    if (email === undefined || email === account.email) return undefined;
    const key = emailKey(email);
    if (key !== account.email_key && (await emailTaken(manager, key))) throw invalidField('email', sentences.taken);
    return { purpose: 'email', to: email, key };
  }

  async function newPhone(account: Login, current: string, phone: string | undefined): Promise<Change | undefined> {
    if (phone === undefined || phone === current) return undefined;
    const key = phoneKey(phone, country);
    if (key === undefined) throw invalidField('phone_number', texts.phoneInvalid);
    if (key === account.phone_key) return undefined;
    if (account.gauth_type === 'phone_number' && (await loginPhoneTaken(manager, key)))
      throw invalidField('phone_number', sentences.taken);
    return { purpose: 'phone', to: key, key };
  }

  const subjectOf = (account: Login) => `user:${account.id}`;

  const hashesOf = (account: Login, change: Change, code: string) =>
    codeHashes(change.purpose, `${subjectOf(account)} ${change.key}`, code);

  async function send(account: Login, change: Change): Promise<void> {
    const code = (change.purpose === 'phone' && delivery.testCode(change.to)) || newCode();
    await database.transact(async (tx) => {
      const { purpose, key } = change;
      const hashes = hashesOf(account, change, code);
      if (!(await replaceCode(tx, { purpose, subject: subjectOf(account), hashes, reference: key }))) return;
      if (purpose === 'email') await delivery.mailCode(tx, 'email', change.to, code);
      else await delivery.smsCode(tx, change.to, code);
    });
    delivery.wake();
  }

  /**
   * The columns that a confirmed change sets. Throws invalid when there is no code yet (and sends one), when it is wrong,
   * when the address is taken, or when both are changed at once.
   */
  return async function confirmed(account: Login, currentPhone: string, input: ProfileInput): Promise<ProfileFields> {
    const email = await newEmail(account, input.email);
    const phone = await newPhone(account, currentPhone, input.phone_number);
    if (email && phone) throw invalidField('phone_number', texts.oneAtATime);
    const change = email ?? phone;
    if (!change) return {};
    if (input.code === undefined) {
      await send(account, change);
      throw invalidField('code', texts.codeSent);
    }
    const { purpose, key, to } = change;
    const hashes = hashesOf(account, change, input.code);
    const right = await checkCode(manager, { purpose, subject: subjectOf(account), hashes, consume: true });
    if (!right) throw invalidField('code', texts.codeInvalid);
    return purpose === 'email' ? { email: to, email_key: key } : { phone_number: to, phone_key: key };
  };
}

export type AddressChange = ReturnType<typeof createAddressChange>;
