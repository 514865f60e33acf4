import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { pathId } from '@tutoring/shared/http/declare/fields';
import { pageOf, paginate } from '@tutoring/shared/http/declare/page';
import { route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { nextOf } from '@tutoring/shared/internal/export-page';
import { depositNotFound } from '../errors.ts';
import { cursor, cursorFields, exportCursor } from '../ledger/ledger-routes.ts';
import { decision, listBody } from '../records/record.ts';
import { knownUser } from '../records/user-filter.ts';
import type { People } from '../users/user-service.ts';
import { depositSchema, newDeposit, publicDeposit, type Deposit, type DepositRow } from './deposit.ts';
import type { Deposits } from './deposit-service.ts';
import { createDepositList, depositStore } from './deposit-store.ts';

interface Deps {
  database: Database;
  deposits: Deposits;
  people: People;
  publicUrl: string;
}

const params = z.object({ id: pathId() });
const notFound = depositNotFound;
const LIST = '/api/admin/depositsall';

const withUser = async (people: People, row: DepositRow): Promise<Deposit> => ({
  ...publicDeposit(row),
  user: await people.summaryOf(row.user_id),
});

export function depositRoutes({ database, deposits, people }: Deps) {
  return [
    route({
      method: 'post',
      path: '/api/deposits',
      summary: 'Top up: creates a deposit and the link to pay it',
      description:
        'For students. Open `checkout_url` to pay; it is in this answer only. The money arrives when the provider ' +
        'says so, announced by `wallet.balance`. 422 below the setting `min_deposit` or above 1,000,000,000. Unpaid ' +
        'for 24 hours it is canceled. Send an `Idempotency-Key`, so that a repeat makes no second deposit.',
      auth: 'student',
      idempotent: true,
      body: newDeposit,
      response: depositSchema.extend({
        checkout_url: z.string().meta({ example: 'https://checkout.example.com/pay/cs_8a51' }),
      }),
      errors: ['conflict', 'unavailable'],
      handle: ({ caller, body, request }) => deposits.create({ caller, body, key: request.idempotencyKey }),
    }),
    route({
      method: 'get',
      path: '/api/deposits',
      summary: 'Own deposits, newest first',
      description:
        'For students and teachers. Older ones: give the id of the last as `before`; at most 100 at once, 50 ' +
        'unless `limit` says otherwise.',
      auth: 'user',
      query: z.object(cursorFields),
      response: z.array(depositSchema),
      handle: async ({ caller, query }) =>
        people.attach((await depositStore.listOf(database.manager, caller.id, cursor(query))).map(publicDeposit)),
    }),
    route({
      method: 'get',
      path: '/api/deposits/{id}',
      summary: 'One of the own deposits',
      description: "For students and teachers. Somebody else's is a 404.",
      auth: 'user',
      params,
      notFound,
      response: depositSchema,
      handle: async ({ caller, params: { id } }) => {
        const deposit = await depositStore.findOf(database.manager, id, caller.id);
        assertThat(deposit, notFound);
        return withUser(people, deposit);
      },
    }),
    command('deposits.export', {
      summary: "A user's deposits, newest first",
      handle: async ({ params, query }) => {
        const page = await depositStore.listOf(database.manager, params.id, exportCursor(query));
        return { items: await people.attach(page.map(publicDeposit)), next: nextOf(page, ({ id }) => id) };
      },
    }),
  ];
}

export function depositAdminRoutes({ database, deposits, people, publicUrl }: Deps) {
  const listDeposits = createDepositList();
  return [
    route({
      method: 'post',
      path: LIST,
      summary: 'Deposits, newest first',
      description:
        'For administrators. Paged. `filter_value` looks into reference, details, method and the user; `from` and ' +
        '`to` are days, both included. An unknown `user_id` is a 422.',
      auth: 'admin',
      body: listBody,
      rules: knownUser(people),
      response: pageOf(depositSchema),
      handle: async ({ body }) => {
        const page = await listDeposits<Omit<Deposit, 'user'>>(database.manager, body);
        return paginate({ ...page, items: await people.attach(page.items), path: `${publicUrl}${LIST}` });
      },
    }),
    route({
      method: 'get',
      path: '/api/admin/deposits/{id}',
      summary: 'One deposit',
      description: 'For administrators. One deposit with its user, by id.',
      auth: 'admin',
      params,
      notFound,
      response: depositSchema,
      handle: async ({ params: { id } }) => {
        const deposit = await depositStore.find(database.manager, id);
        assertThat(deposit, notFound);
        return withUser(people, deposit);
      },
    }),
    route({
      method: 'put',
      path: '/api/admin/deposits/{id}',
      summary: 'Decide about a deposit',
      description:
        'For super administrators. Into `success` credits the user; out of it takes the money back, 409 when it ' +
        'is gone. The same status again changes nothing. With `expected_status`, the status that was seen, two ' +
        'administrators cannot both decide: 409 when it is another one by now.',
      auth: 'su',
      params,
      notFound,
      body: decision,
      response: depositSchema,
      errors: ['conflict'],
      handle: async ({ params: { id }, body, caller }) => withUser(people, await deposits.decide(caller, id, body)),
    }),
  ];
}
