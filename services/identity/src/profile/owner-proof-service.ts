import { assertThat } from '@tutoring/shared/kit/errors';
import { invalidField } from '@tutoring/shared/kit/http/read/validation';
import { fill } from '@tutoring/shared/kit/language/localized';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import * as codes from '../codes/code-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import type { Login } from '../users/user.ts';

/** What is proven: the purpose of the code, the field of the password, and whether a right code can be used again. */
interface Matter {
  purpose: 'delete' | 'payout';
  field: 'password' | 'current_password';
  keepsCode: boolean;
}

/** `address`: the client's. */
interface Given {
  password?: string | undefined;
  code?: string | undefined;
  address: string;
}

const codeFor = (account: Login, purpose: Matter['purpose']) => ({ purpose, subject: `user:${account.id}` }) as const;

async function sendCode(parts: Parts, account: Login, purpose: Matter['purpose'], network: string): Promise<void> {
  const phone = (account.gauth_type === 'phone_number' && account.phone_key) || undefined;
  const email = account.email_key === null ? undefined : account.email;
  const to = { email, phone, network, language: currentLanguage() };
  await parts.database.transact((tx) => codes.send(parts, tx, { ...codeFor(account, purpose), reference: null }, to));
}

/**
 * Proves by the password, or by a code sent to its e-mail or phone, that a request comes from an account's owner.
 * Throws invalid unless the password or code is right; sends a code if there is neither.
 */
export async function assertOwner(parts: Parts, account: Login, matter: Matter, given: Given): Promise<void> {
  const { purpose, field, keepsCode } = matter;
  const { password, code, address } = given;
  if (password !== undefined) {
    const isRight = await credentials.isPasswordOf(parts, account, password, address);
    assertThat(isRight, () => invalidField(field, texts.passwordIncorrect));
    return;
  }
  if (code === undefined) {
    await sendCode(parts, account, purpose, networkOf(address));
    throw invalidField(field, fill(texts.codeSent, { field: 'code' }));
  }
  const entered = { ...codeFor(account, purpose), code, address };
  const right = await parts.database.transact((tx) => codes.check(parts, tx, entered, !keepsCode));
  assertThat(right, () => invalidField('code', texts.codeInvalid));
}
