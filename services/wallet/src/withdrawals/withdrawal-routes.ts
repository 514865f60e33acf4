import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { pathId } from '@tutoring/shared/http/declare/fields';
import { pageOf, paginate } from '@tutoring/shared/http/declare/page';
import { route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { nextOf } from '@tutoring/shared/internal/export-page';
import { withdrawalNotFound } from '../errors.ts';
import { cursor, cursorFields, exportCursor } from '../ledger/ledger-routes.ts';
import { decision, listBody } from '../records/record.ts';
import { knownUser } from '../records/user-filter.ts';
import type { People } from '../users/user-service.ts';
import {
  adminWithdrawal,
  adminWithdrawalSchema,
  newWithdrawal,
  publicWithdrawal,
  withdrawalSchema,
  type WithdrawalRow,
} from './withdrawal.ts';
import type { Withdrawals } from './withdrawal-service.ts';
import { createWithdrawalList, withdrawalStore } from './withdrawal-store.ts';

interface Deps {
  database: Database;
  withdrawals: Withdrawals;
  people: People;
  publicUrl: string;
}

const params = z.object({ id: pathId() });
const notFound = withdrawalNotFound;
const LIST = '/api/admin/withdrawalsall';

const withUser = async <Shown extends { user_id: number }>(people: People, shown: Shown) => ({
  ...shown,
  user: await people.summaryOf(shown.user_id),
});

export function withdrawalRoutes({ database, withdrawals, people }: Deps) {
  return [
    route({
      method: 'post',
      path: '/api/withdrawals',
      summary: 'Ask for a payout; the amount is held at once',
      description:
        'For teachers. An administrator pays it out to `account`. 402 above what is available; 422 below the ' +
        'setting `min_withdrawal` or above 1,000,000,000. Send an `Idempotency-Key`, so that a repeat asks only ' +
        'once.',
      auth: 'teacher',
      idempotent: true,
      body: newWithdrawal,
      response: withdrawalSchema,
      errors: ['payment_required', 'conflict'],
      handle: ({ caller, body, request }) => withdrawals.create({ caller, body, key: request.idempotencyKey }),
    }),
    route({
      method: 'get',
      path: '/api/withdrawals',
      summary: 'Own withdrawals, newest first',
      description:
        'For students and teachers. Older ones: give the id of the last as `before`; at most 100 at once, 50 ' +
        'unless `limit` says otherwise.',
      auth: 'user',
      query: z.object(cursorFields),
      response: z.array(withdrawalSchema),
      handle: async ({ caller, query }) =>
        people.attach((await withdrawalStore.listOf(database.manager, caller.id, cursor(query))).map(publicWithdrawal)),
    }),
    route({
      method: 'get',
      path: '/api/withdrawals/{id}',
      summary: 'One of the own withdrawals',
      description: "For students and teachers. Somebody else's is a 404.",
      auth: 'user',
      params,
      notFound,
      response: withdrawalSchema,
      handle: async ({ caller, params: { id } }) => {
        const withdrawal = await withdrawalStore.findOf(database.manager, id, caller.id);
        assertThat(withdrawal, notFound);
        return withUser(people, publicWithdrawal(withdrawal));
      },
    }),
    route({
      method: 'post',
      path: '/api/withdrawals/{id}/cancel',
      summary: 'Take back a withdrawal that no administrator has claimed',
      description:
        'For the teacher who asked. The amount is available again at once. 409 when an administrator has claimed ' +
        'it (`pending`) or it is over.',
      auth: 'user',
      params,
      notFound,
      response: withdrawalSchema,
      errors: ['conflict'],
      handle: async ({ caller, params: { id } }) =>
        withUser(people, publicWithdrawal(await withdrawals.cancel(caller, id))),
    }),
    command('withdrawals.export', {
      summary: "A user's withdrawals, newest first",
      handle: async ({ params, query }) => {
        const page = await withdrawalStore.listOf(database.manager, params.id, exportCursor(query));
        return { items: await people.attach(page.map(publicWithdrawal)), next: nextOf(page, ({ id }) => id) };
      },
    }),
  ];
}

export function withdrawalAdminRoutes({ database, withdrawals, people, publicUrl }: Deps) {
  const listWithdrawals = createWithdrawalList();
  return [
    route({
      method: 'post',
      path: LIST,
      summary: 'Withdrawals, newest first',
      description:
        'For administrators. Paged. `filter_value` looks into reference, details, method and the user; `from` and ' +
        '`to` are days, both included. An unknown `user_id` is a 422. `claimed_by` moved it to `pending` last.',
      auth: 'admin',
      body: listBody,
      rules: knownUser(people),
      response: pageOf(adminWithdrawalSchema),
      handle: async ({ body }) => {
        const page = await listWithdrawals<WithdrawalRow>(database.manager, body);
        return paginate({
          ...page,
          items: await people.attach(page.items.map(adminWithdrawal)),
          path: `${publicUrl}${LIST}`,
        });
      },
    }),
    route({
      method: 'get',
      path: '/api/admin/withdrawals/{id}',
      summary: 'One withdrawal',
      description: 'For administrators. One withdrawal with its user, by id.',
      auth: 'admin',
      params,
      notFound,
      response: adminWithdrawalSchema,
      handle: async ({ params: { id } }) => {
        const withdrawal = await withdrawalStore.find(database.manager, id);
        assertThat(withdrawal, notFound);
        return withUser(people, adminWithdrawal(withdrawal));
      },
    }),
    route({
      method: 'put',
      path: '/api/admin/withdrawals/{id}',
      summary: 'Decide about a withdrawal',
      description:
        'For administrators. `pending` claims it, `success` pays out what is held, `failed` and `canceled` ' +
        'release it; only a super administrator takes it out of `success`. 409 when money would have to be held ' +
        'that is not available. The same status again changes nothing. With `expected_status`, the status that was ' +
        'seen, two administrators cannot both decide: 409 when it is another one by now.',
      auth: 'admin',
      params,
      notFound,
      body: decision,
      response: adminWithdrawalSchema,
      errors: ['conflict'],
      handle: async ({ params: { id }, body, caller }) =>
        withUser(people, adminWithdrawal(await withdrawals.decide(caller, id, body))),
    }),
  ];
}
