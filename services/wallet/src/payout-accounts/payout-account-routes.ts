import { z } from 'zod';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { payoutAccountNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { MAX_ACCOUNTS, newAccount, payoutAccount, showAccount } from './payout-account.ts';
import { createAccount, deleteAccount } from './payout-account-service.ts';
import { listAccounts } from './payout-account-store.ts';
import { payoutMethod } from '../payout-methods/payout-method.ts';

export function payoutAccountRoutes(parts: Parts) {
  const { database, payoutMethods } = parts;
  const pageOf = async (reader: Reader, userId: number, page: { before: number | undefined; limit: number }) =>
    (await listAccounts(reader, userId, page)).map(showAccount);
  return [
    route('get /api/payout-methods', {
      summary: 'The ways in which teachers are paid',
      description: 'Public. Empty unless the operator has configured any. `country` is null but for phones.',
      auth: 'public',
      response: z.array(payoutMethod),
      handle: () => payoutMethods,
    }),
    route('get /api/payout-accounts', {
      summary: 'Own payout accounts, newest first',
      description: 'For teachers. A withdrawal to an account is possible from its `usable_at` on.',
      auth: 'teacher',
      response: z.array(payoutAccount),
      handle: ({ caller }) => pageOf(database.manager, caller.id, { before: undefined, limit: MAX_ACCOUNTS }),
    }),
    route('post /api/payout-accounts', {
      summary: 'Add a payout account',
      description:
        'For teachers. `method` is one of `GET api/payout-methods`. A `phone` is a valid mobile number of the country, ' +
        'an `iban` has the right length and check digits. Needs `current_password` or a `code`: a request without ' +
        'either sends the code and is a 422. At most five (409). The same account again returns the existing one. ' +
        'Its owner is told by mail or SMS.',
      auth: 'teacher',
      idempotent: true,
      body: newAccount,
      response: payoutAccount,
      errors: ['conflict', 'not_found'],
      handle: ({ caller, body, request, once }) =>
        createAccount(parts, { caller, body, address: request.clientAddress }, once),
    }),
    route('delete /api/payout-accounts/{id}', {
      summary: 'Delete an own payout account',
      description: 'For teachers. 409 while a withdrawal to it is open.',
      auth: 'teacher',
      params: z.object({ id: pathId() }),
      notFound: payoutAccountNotFound,
      response: confirmation,
      errors: ['conflict'],
      handle: async ({ caller, params: { id } }) => {
        await deleteAccount(parts, caller, id);
        return { message: texts.payoutAccountDeleted };
      },
    }),
    command('payout-accounts.export', exportHandler(database.standby.manager, pageOf)),
  ];
}
