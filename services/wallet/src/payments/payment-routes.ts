import { userMustExist, listRoute } from '@tutoring/shared/kit/http/declare/page';
import type { Parts } from '../parts.ts';
import { listedPayment, paymentList } from './payment.ts';
import { createPaymentList } from './payment-store.ts';

export function paymentRoutes({ database, people, publicUrl }: Parts) {
  const listPayments = createPaymentList();
  return [
    listRoute('post /api/paymentsall', {
      summary: 'Payments, newest first',
      description:
        'For everybody who is logged in. Paged: one row per deposit and withdrawal, and one row per participant of ' +
        'each call and refund. Administrators see all payments and may filter by `user_id`; users see their own, ' +
        'whatever `user_id` says. `type` and `direction` filter by the origin and the direction of the money. With ' +
        "`with_source` administrators' rows have a `source`: `deposit:<id>`, `withdrawal:<id>`, `call:<identifier>`, " +
        '`call:<identifier>:refund:<number>`, `dispute:<id>:<number>` or `deposit-refund:<id>`.',
      auth: 'member',
      right: 'money',
      body: paymentList,
      rules: userMustExist(people),
      item: listedPayment,
      publicUrl,
      list: async ({ with_source: withSource, ...filter }, window, caller) => {
        const isOwn = caller.kind === 'user';
        const { items, total } = isOwn
          ? await listPayments(database.manager, { ...filter, user_id: caller.id }, window)
          : await listPayments(database.standby.manager, filter, window);
        const shown = items.map(({ source, ...payment }) => ({ ...payment, ...(!isOwn && withSource && { source }) }));
        return { items: await people.attach(shown), total };
      },
    }),
  ];
}
