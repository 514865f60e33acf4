import type { Database, Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { invalidField } from '@tutoring/shared/http/read/validation';
import { recordAction } from '../audit/audit-service.ts';
import { newCode, type CodeHashes } from '../codes/code.ts';
import type { CodeRequests } from '../codes/code-service.ts';
import { checkCode, replaceCode } from '../codes/code-store.ts';
import { commonPassword } from '../credentials/common-password.ts';
import { adminKey } from '../credentials/credential-service.ts';
import type { Hasher } from '../credentials/hasher.ts';
import { forgive } from '../credentials/lockout-store.ts';
import type { Delivery } from '../delivery/delivery-service.ts';
import { resetFailed } from '../errors.ts';
import { noticeLetter, texts } from '../texts.ts';
import type { Tokens } from '../tokens/token-service.ts';
import { adminSnapshot } from './admin.ts';
import { adminLogin, lockAdminLogin, updateAdmin } from './admin-store.ts';

const PURPOSE = 'admin_reset';

export function createAdminReset(deps: {
  database: Database;
  hasher: Hasher;
  codeHashes: CodeHashes;
  codeRequests: CodeRequests;
  delivery: Delivery;
  tokens: Tokens;
}) {
  const { database, hasher, codeHashes, codeRequests, delivery, tokens } = deps;

  return {
    /** Always returns the same, whether or not the account exists. */
    async requestCode(email: string | undefined, address: string) {
      if (email !== undefined) await codeRequests.request(PURPOSE, emailKey(email), address);
      return { message: texts.checkMailbox };
    },

    async answerRequest(tx: Tx, subject: string, network: string): Promise<void> {
      const admin = await adminLogin(tx, subject);
      if (admin?.status !== 'active') return;
      const code = newCode();
      const hashes = codeHashes(PURPOSE, subject, code);
      const fresh = { purpose: PURPOSE, subject, hashes, reference: String(admin.id) } as const;
      await replaceCode(tx, fresh, () =>
        delivery.mailCode(tx, PURPOSE, { to: admin.email, code, network, language: admin.language }),
      );
    },

    /**
     * Throws not_found unless the code is right, and invalid for a password that contains the name; the code stays good
     * then. Ends every session and writes to the owner; the second factor stays.
     */
    async reset(input: { email: string; code: string; password: string }, address: string) {
      const subject = emailKey(input.email);
      const hash = await hasher.hash(input.password, { account: adminKey(subject), address });
      const hashes = codeHashes(PURPOSE, subject, input.code);
      const revocation = await database.transact(async (tx) => {
        const checked = await checkCode(tx, { purpose: PURPOSE, subject, hashes, address, consume: true });
        // Returns instead of throwing: a rollback would undo the count of the wrong try.
        const admin = checked && (await lockAdminLogin(tx, Number(checked.reference)));
        if (admin?.status !== 'active' || admin.email_key !== subject) return undefined;
        const broken = await commonPassword({ password: input.password, name: admin.name });
        if (broken.length > 0) throw invalidField('password', texts.passwordTooCommon);
        const after = await updateAdmin(tx, admin.id, { hash });
        await publish(tx, 'admin.changed', adminSnapshot(after!));
        const change = { before: null, after: { password: 'reset' } };
        await recordAction(tx, admin, { action: 'admin.updated', subject: `admin:${admin.id}`, ...change });
        await forgive(tx, [adminKey(subject)]);
        await delivery.mailNotice(tx, admin.email, noticeLetter('passwordChanged', admin.language));
        return tokens.revokeAdmin(tx, admin.id);
      });
      if (!revocation) throw resetFailed();
      tokens.announce(revocation);
      delivery.wake();
      return { message: texts.passwordReset };
    },
  };
}

export type AdminReset = ReturnType<typeof createAdminReset>;
