import { assertThat } from '@tutoring/shared/errors';
import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { assertUncommon } from '../credentials/common-password.ts';
import { resetFailed } from '../errors.ts';
import type { Foundations } from '../foundations.ts';
import { texts } from '../texts.ts';
import type { Admins } from './admin-service.ts';
import { adminLogin, lockAdminLogin } from './admin-store.ts';

const PURPOSE = 'admin_reset';

type Deps = Pick<Foundations, 'database' | 'codes'> & { admins: Admins };

export function createAdminReset({ database, codes, admins }: Deps) {
  return {
    /** Always returns the same, whether or not the account exists. */
    async requestCode(email: string | undefined, address: string) {
      if (email !== undefined) await codes.request(PURPOSE, emailKey(email), address);
      return { message: texts.checkMailbox };
    },

    async answerRequest(tx: Tx, subject: string, network: string): Promise<void> {
      const admin = await adminLogin(tx, subject);
      if (admin?.status !== 'active') return;
      const { email, language } = admin;
      await codes.send(tx, { purpose: PURPOSE, subject, reference: String(admin.id) }, { email, network, language });
    },

    /**
     * Throws not_found unless the code is right, and invalid for a password that contains the name; the code stays good
     * then. Ends every session and writes to the owner; the second factor stays.
     */
    async reset(input: { email: string; code: string; password: string }, address: string) {
      const subject = emailKey(input.email);
      const hash = await admins.hashOf(input.email, input.password, address);
      const isReset = await database.transact(async (tx) => {
        const checked = await codes.check(tx, { purpose: PURPOSE, subject, code: input.code, address }, true);
        // Returns instead of throwing: a rollback would undo the count of the wrong try.
        const admin = checked && (await lockAdminLogin(tx, Number(checked.reference)));
        if (admin?.status !== 'active' || admin.email_key !== subject) return false;
        await assertUncommon(input.password, admin.name);
        await admins.resetPassword(tx, admin, admin, hash);
        return true;
      });
      assertThat(isReset, resetFailed);
      return { message: texts.passwordReset };
    },
  };
}

export type AdminReset = ReturnType<typeof createAdminReset>;
