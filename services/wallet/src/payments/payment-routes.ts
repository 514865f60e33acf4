import type { Database } from '@tutoring/shared/database/open';
import { pageOf, paginate } from '@tutoring/shared/http/page';
import { route } from '@tutoring/shared/http/route';
import { knownUser } from '../records/user-filter.ts';
import type { People } from '../users/user-service.ts';
import { paymentList, paymentSchema, type PaymentRow } from './payment.ts';
import { createPaymentList } from './payment-store.ts';

const PATH = '/api/paymentsall';

export function paymentRoutes(deps: { database: Database; people: People; publicUrl: string }) {
  const { database, people, publicUrl } = deps;
  const listPayments = createPaymentList();
  return [
    route({
      method: 'post',
      path: PATH,
      summary: 'Payments, newest first',
      description:
        'For everybody who is logged in. Paged: one row for each deposit, withdrawal and refund, and one for each ' +
        'call of each participant. Administrators see all and may filter by `user_id`; others see their own, ' +
        'whatever `user_id` says. `type` and `direction` choose what moved the money and which way.',
      auth: 'member',
      body: paymentList,
      rules: knownUser(people),
      response: pageOf(paymentSchema),
      handle: async ({ caller, body }) => {
        const ofCaller = caller.kind === 'user' ? { ...body, user_id: caller.id } : body;
        const page = await listPayments<PaymentRow>(database.manager, ofCaller);
        return paginate({ ...page, items: await people.attach(page.items), path: `${publicUrl}${PATH}` });
      },
    }),
  ];
}
