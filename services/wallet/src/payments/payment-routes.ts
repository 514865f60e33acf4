import type { Database } from '@tutoring/shared/database/open';
import { pageOf, paginate } from '@tutoring/shared/http/declare/page';
import { route } from '@tutoring/shared/http/declare/route';
import { knownUser } from '../records/user-filter.ts';
import type { People } from '../users/user-service.ts';
import { listedPayment, paymentList, type ListedRow } from './payment.ts';
import { createPaymentList, createSourcedList } from './payment-store.ts';

const PATH = '/api/paymentsall';

export function paymentRoutes(deps: { database: Database; people: People; publicUrl: string }) {
  const { database, people, publicUrl } = deps;
  const [listOwn, listSourced] = [createPaymentList(), createSourcedList()];
  return [
    route({
      method: 'post',
      path: PATH,
      summary: 'Payments, newest first',
      description:
        'For everybody who is logged in. Paged: one row for each deposit, withdrawal and refund, and one for each ' +
        'call of each participant. Administrators see all and may filter by `user_id`; others see their own, ' +
        'whatever `user_id` says. `type` and `direction` choose what moved the money and which way. `source` is in ' +
        "administrators' rows alone: `deposit:<id>`, `withdrawal:<id>`, `call:<identifier>` or " +
        '`call:<identifier>:refund:<number>`.',
      auth: 'member',
      body: paymentList,
      rules: knownUser(people),
      response: pageOf(listedPayment),
      handle: async ({ caller, body }) => {
        const page =
          caller.kind === 'user'
            ? await listOwn<ListedRow>(database.manager, { ...body, user_id: caller.id })
            : await listSourced<ListedRow>(database.manager, body);
        return paginate({ ...page, items: await people.attach(page.items), path: `${publicUrl}${PATH}` });
      },
    }),
  ];
}
