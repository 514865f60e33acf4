import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { Reply, route } from '@tutoring/shared/kit/http/declare/route';
import type { DepositRow } from '../deposits/deposit.ts';
import { findPayable } from '../deposits/deposit-store.ts';
import { receiveWebhook } from '../deposits/payment-service.ts';
import type { Parts } from '../parts.ts';
import { CLAIM_ACTIONS, PAY_ACTIONS, type CheckoutAction } from '../providers/provider.ts';
import {
  CHECKOUT_HEADERS,
  CHECKOUT_STYLE,
  checkoutPage,
  claimsPage,
  returnedPage,
  unknownPage,
} from './checkout-page.ts';

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

interface Link {
  deposit: string;
  token: string;
}

/** Undefined: the link is invalid. */
const html = (page: string | undefined) =>
  page === undefined
    ? new Reply(unknownPage(), { headers: CHECKOUT_HEADERS, status: 404 })
    : new Reply(page, { headers: CHECKOUT_HEADERS });

/** The routes above and, with the sandbox provider, its page: the secret in the link is the only authentication. */
export function checkoutRoutes(parts: Parts) {
  const provider = parts.providers.all.find(({ checkout: own }) => own !== undefined);
  if (!provider?.checkout) return returnRoutes;
  const { checkout } = provider;

  const find = async ({ deposit, token }: Link): Promise<DepositRow | undefined> => {
    const id = pathId().safeParse(deposit);
    const found = id.success ? await findPayable(parts.database.manager, id.data) : undefined;
    const isOwn = found?.provider === provider.name && checkout.ownsLink(found.id, found.payment_key, token);
    return isOwn ? found : undefined;
  };
  const page = async (params: Link) => {
    const deposit = await find(params);
    return html(deposit && checkoutPage(deposit, `/api/checkout/${params.deposit}/${params.token}`));
  };
  const claims = async (params: Link) => {
    const deposit = await find(params);
    return html(deposit?.status === 'success' ? claimsPage(deposit) : undefined);
  };
  /** Sends the webhook of a button. */
  const press = async (deposit: DepositRow, action: CheckoutAction) => {
    const { rawBody, header } = checkout.webhook(deposit, action);
    await receiveWebhook(parts, provider, rawBody, header);
  };

  return [
    ...returnRoutes,
    route(`get ${PATH}`, {
      ...link,
      summary: 'Page of the sandbox payment provider',
      description:
        'Public; for browsers. `checkout_url` opens this page if no real provider is configured. The secret in the ' +
        'link is the only authentication; without it the page is a 404.',
      handle: ({ params }) => page(params),
    }),
    route(`post ${PATH}`, {
      ...link,
      summary: 'Pay, fail or cancel at the sandbox payment provider',
      description:
        'Public. The buttons of the page send this. The deposit moves as after a webhook of a real provider.',
      body: z.object({ action: z.enum(PAY_ACTIONS) }),
      handle: async ({ params, body }) => {
        const deposit = await find(params);
        if (deposit) await press(deposit, body.action);
        return page(params);
      },
    }),
    route(`get ${PATH}/claims`, {
      ...link,
      summary: 'Page for disputes and refunds of the sandbox payment provider',
      description:
        'Public; for browsers. On it an operator tries what happens when the payer of a paid deposit disputes it, or ' +
        'when it is refunded at the provider. The secret in the link is the only authentication.',
      handle: ({ params }) => claims(params),
    }),
    route(`post ${PATH}/claims`, {
      ...link,
      summary: 'Dispute or refund a payment at the sandbox payment provider',
      description:
        'Public. The buttons of the page send this: `dispute` opens a dispute of the whole deposit, `win` decides it ' +
        'for the platform and `lose` for the payer; `refund` refunds the deposit at the provider.',
      body: z.object({ action: z.enum(CLAIM_ACTIONS) }),
      handle: async ({ params, body }) => {
        const deposit = await find(params);
        if (deposit?.status === 'success') await press(deposit, body.action);
        return claims(params);
      },
    }),
  ];
}
