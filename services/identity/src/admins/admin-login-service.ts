import { emailKey } from '@tutoring/shared/http/declare/email';
import type { AppError } from '@tutoring/shared/errors';
import { adminKey } from '../credentials/credential-service.ts';
import { codeRequired, invalidCredentials, secondFactorWrong } from '../errors.ts';
import type { Foundations } from '../foundations.ts';
import { adminViewOf, type AdminCredentials } from './admin.ts';
import { adminLogin, findAdmin, type AdminLogin } from './admin-store.ts';

type Deps = Pick<Foundations, 'database' | 'hasher' | 'credentials' | 'tokens' | 'totp'>;

export function createAdminLogin({ database, hasher, credentials, tokens, totp }: Deps) {
  /**
   * One attempt under the lock-out. With the right password the caller learns what is wrong with the code: a wrong code
   * counts as a failure, a missing one does not.
   */
  async function prove(admin: AdminLogin | undefined, key: string, input: AdminCredentials, address: string) {
    const attempted = { account: adminKey(key), person: admin?.id, address };
    const hash = admin?.status === 'active' ? admin.password_hash : undefined;
    let refusal: AppError | undefined;
    const right = await credentials.attempt(attempted, async (admitted) => {
      const isPassword = await hasher.compare(hash, input.password ?? '');
      if (!isPassword || !admin || !admitted) return false;
      const verdict = await totp.check(admin.id, input.code);
      if (verdict === 'missing') throw codeRequired();
      if (verdict === 'wrong') refusal = secondFactorWrong();
      return verdict !== 'wrong';
    });
    if (refusal) throw refusal;
    return right;
  }

  return {
    /** Throws not_found, the same for every reason; second_factor when the password is right and a code is missing. */
    async login(input: AdminCredentials, address: string) {
      if (input.email === undefined || input.password === undefined) throw invalidCredentials();
      const key = emailKey(input.email);
      const admin = await adminLogin(database.manager, key);
      const right = await prove(admin, key, input, address);
      const token = right && admin ? await database.transact((tx) => tokens.issueToAdmin(tx, admin)) : undefined;
      const record = token && admin ? await findAdmin(database.manager, admin.id) : undefined;
      if (!token || !record) throw invalidCredentials();
      return { token, token_type: 'Bearer' as const, admin: adminViewOf(record) };
    },
  };
}

export type AdminLoginService = ReturnType<typeof createAdminLogin>;
