import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { Reply, route } from '@tutoring/shared/kit/http/declare/route';
import type { DepositRow } from '../deposits/deposit.ts';
import { findPayable } from '../deposits/deposit-store.ts';
import { receiveWebhook } from '../deposits/payment-service.ts';
import type { Parts } from '../parts.ts';
import { CHECKOUT_HEADERS, CHECKOUT_STYLE, checkoutPage, returnedPage, unknownPage } from './checkout-page.ts';

const PATH = '/api/checkout/{deposit}/{token}';
const link = {
  auth: 'public' as const,
  params: z.object({
    deposit: z.string().meta({ example: '12' }),
    token: z.string().meta({ example: 'kT3vB0xY8mQ2' }),
  }),
  response: z.string(),
  produces: 'text/html',
};

/** The page after a payment at any provider, and the style sheet of all payment pages. */
const returnRoutes = [
  route('get /api/checkout/style.css', {
    summary: 'Style sheet of the payment pages',
    description: 'Public; for browsers. The style sheet of the pages below.',
    auth: 'public',
    response: z.string(),
    produces: 'text/css',
    handle: () => new Reply(CHECKOUT_STYLE),
  }),
  route('get /api/checkout/returned', {
    summary: 'Page after a payment at a provider',
    description: 'Public; for browsers. Payment providers redirect here; the page asks the user to return to the app.',
    auth: 'public',
    response: z.string(),
    produces: 'text/html',
    handle: () => new Reply(returnedPage(), { headers: CHECKOUT_HEADERS }),
  }),
];

/** The routes above and, with the sandbox provider, its page: the secret in the link is the only authentication. */
export function checkoutRoutes(parts: Parts) {
  const provider = parts.providers.all.find(({ checkout: own }) => own !== undefined);
  if (!provider?.checkout) return returnRoutes;
  const { checkout } = provider;

  const find = async ({ deposit, token }: { deposit: string; token: string }): Promise<DepositRow | undefined> => {
    const id = pathId().safeParse(deposit);
    const found = id.success ? await findPayable(parts.database.manager, id.data) : undefined;
    return found && checkout.ownsLink(found.id, found.payment_key, token) ? found : undefined;
  };

  const page = (deposit: DepositRow | undefined) =>
    deposit?.provider === provider.name
      ? new Reply(checkoutPage(deposit), { headers: CHECKOUT_HEADERS })
      : new Reply(unknownPage(), { headers: CHECKOUT_HEADERS, status: 404 });

  return [
    ...returnRoutes,
    route(`get ${PATH}`, {
      ...link,
      summary: 'Page of the sandbox payment provider',
      description:
        'Public; for browsers. `checkout_url` opens this page if no real provider is configured. The secret in the ' +
        'link is the only authentication; without it the page is a 404.',
      handle: async ({ params }) => page(await find(params)),
    }),
    route(`post ${PATH}`, {
      ...link,
      summary: 'Pay, fail or cancel at the sandbox payment provider',
      description:
        'Public. The buttons of the page send this. The deposit moves as after a webhook of a real provider.',
      body: z.object({ action: z.enum(['pay', 'fail', 'cancel']) }),
      handle: async ({ params, body }) => {
        const deposit = await find(params);
        if (!deposit) return page(undefined);
        const { rawBody, header } = checkout.webhook(deposit.id, body.action);
        await receiveWebhook(parts, provider, rawBody, header);
        return page(await find(params));
      },
    }),
  ];
}
