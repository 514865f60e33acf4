import { command } from '@tutoring/shared/contract/command';
import type { Route } from '@tutoring/shared/kit/http/declare/route';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { assertOwner } from '../profile/owner-proof-service.ts';
import { loginById } from '../users/user-store.ts';

/** The command by which wallet has the owner of a new payout account proven. */
export const payoutRoutes = (parts: Parts): Route[] => [
  command('owner.prove', async ({ params: { id }, body: { current_password: password, code, address } }) => {
    const account = found(await loginById(parts.database.manager, id));
    const matter = { purpose: 'payout', field: 'current_password', keepsCode: false } as const;
    await assertOwner(parts, account, matter, { password, code, address });
    return {};
  }),
];
