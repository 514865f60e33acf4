import type { Database } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/email';
import { invalidField, sentences, type Broken } from '@tutoring/shared/http/validation';
import { newCode, type CodeHashes } from '../codes/code.ts';
import { checkCode, replaceCode } from '../codes/code-store.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { networkOf } from '../network.ts';
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

  function newEmail(account: Login, email: string | undefined): Change | undefined {
    const isProven = account.email_key !== null;
    if (email === undefined || (email === account.email && isProven)) return undefined;
    return { purpose: 'email', to: email, key: emailKey(email) };
  }

  function newPhone(account: Login, current: string, phone: string | undefined): Change | undefined {
    if (phone === undefined || phone === current) return undefined;
    const key = phoneKey(phone, country);
    if (key === undefined) throw invalidField('phone_number', texts.phoneInvalid);
    return key === account.phone_key ? undefined : { purpose: 'phone', to: key, key };
  }

  /** The rules that a new address is nobody else's; somebody who is faster still is met by the database. */
  async function taken(account: Login, given: { email?: string | undefined; phone_number?: string | undefined }) {
    const broken: Broken[] = [];
    const email = given.email === undefined ? undefined : emailKey(given.email);
    if (email !== undefined && email !== account.email_key && (await emailTaken(manager, email)))
      broken.push([['email'], sentences.taken]);
    const phone = given.phone_number === undefined ? undefined : phoneKey(given.phone_number, country);
    const isLogin = account.gauth_type === 'phone_number' && phone !== account.phone_key;
    if (isLogin && phone !== undefined && (await loginPhoneTaken(manager, phone)))
      broken.push([['phone_number'], sentences.taken]);
    return broken;
  }

  const subjectOf = (account: Login) => `user:${account.id}`;

  const hashesOf = (account: Login, change: Change, code: string) =>
    codeHashes(change.purpose, `${subjectOf(account)} ${change.key}`, code);

  async function send(account: Login, change: Change, network: string): Promise<void> {
    const code = (change.purpose === 'phone' && delivery.testCode(change.to)) || newCode();
    await database.transact(async (tx) => {
      const { purpose, key } = change;
      const hashes = hashesOf(account, change, code);
      const message = { to: change.to, code, network };
      await replaceCode(tx, { purpose, subject: subjectOf(account), hashes, reference: key }, () =>
        purpose === 'email' ? delivery.mailCode(tx, 'email', message) : delivery.smsCode(tx, message),
      );
    });
    delivery.wake();
  }

  /**
   * The columns that a confirmed change sets. Throws invalid when there is no code yet (and sends one), when it is wrong,
   * or when both are changed at once.
   */
  async function columns(
    account: Login,
    currentPhone: string,
    input: ProfileInput,
    address: string,
  ): Promise<ProfileFields> {
    const email = newEmail(account, input.email);
    const phone = newPhone(account, currentPhone, input.phone_number);
    if (email && phone) throw invalidField('phone_number', texts.oneAtATime);
    const change = email ?? phone;
    if (!change) return {};
    if (input.code === undefined) {
      await send(account, change, networkOf(address));
      throw invalidField('code', texts.codeSent);
    }
    const { purpose, key, to } = change;
    const hashes = hashesOf(account, change, input.code);
    const right = await database.transact((tx) =>
      checkCode(tx, { purpose, subject: subjectOf(account), hashes, address, consume: true }),
    );
    if (!right) throw invalidField('code', texts.codeInvalid);
    return purpose === 'email' ? { email: to, email_key: key } : { phone_number: to, phone_key: key };
  }

  return { taken, columns };
}

export type AddressChange = ReturnType<typeof createAddressChange>;
