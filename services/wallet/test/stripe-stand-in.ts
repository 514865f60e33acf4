import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { createStripeClaims } from './stripe-claims.ts';

export const STRIPE_ENV = { STRIPE_SECRET_KEY: 'sk_test_wallet', STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests' };

interface Session {
  id: string;
  object: 'checkout.session';
  url: string;
  status: string;
  payment_status: string;
  amount_total: number;
  currency: string;
  payment_intent: string;
  metadata: Record<string, string>;
}

interface Refusal {
  status: number;
  error: { type: string; message: string; code?: string; param?: string };
}

/** The fields `name[key]` of a form, by key. */
const members = (form: URLSearchParams, name: string) =>
  Object.fromEntries(
    [...form].flatMap(([field, value]) =>
      field.startsWith(`${name}[`) ? [[field.slice(name.length + 1, -1), value]] : [],
    ),
  );

/** A stand-in for Stripe: creates Checkout sessions, once per idempotency key and its parameters, and returns them. */
export async function startStripe() {
  const sessions = new Map<string, Session>();
  const claims = createStripeClaims();
  /** Ids of fetched sessions, in order. */
  const fetched: string[] = [];
  /** Ids of sessions whose fetch gets no answer. */
  const silent = new Set<string>();
  const requests: { key: string | undefined; form: URLSearchParams }[] = [];
  const byKey = new Map<string, { session: Session; body: string }>();
  let broken = false;
  let refusal: Refusal | undefined;

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = (status: number, json: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      };
      if (broken) return answer(500, { error: { type: 'api_error', message: 'broken' } });
      if (claims.handle(request, body, answer)) return undefined;
      const url = new URL(request.url ?? '', 'http://stripe.test');
      const intent = url.searchParams.get('payment_intent');
      if (request.method === 'GET' && intent !== null)
        return answer(200, {
          object: 'list',
          data: [...sessions.values()].filter((one) => one.payment_intent === intent),
          has_more: false,
        });
      const id = /^\/v1\/checkout\/sessions\/(\w+)/.exec(request.url ?? '')?.[1];
      if (request.method === 'GET' && id) {
        fetched.push(id);
        if (silent.has(id)) return undefined;
      }
      if (request.method === 'GET' && id && sessions.has(id)) return answer(200, sessions.get(id));
      if (request.method !== 'POST')
        return answer(404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no such' } });
      const form = new URLSearchParams(body);
      const key = request.headers['idempotency-key'] as string | undefined;
      requests.push({ key, form });
      if (refusal) return answer(refusal.status, { error: refusal.error });
      const known = key === undefined ? undefined : byKey.get(key);
      if (known && known.body !== body)
        return answer(400, { error: { type: 'idempotency_error', message: 'the parameters differ' } });
      if (known) return answer(200, known.session);
      const session: Session = {
        id: `cs_${sessions.size + 1}`,
        object: 'checkout.session',
        url: `https://checkout.stripe.test/cs_${sessions.size + 1}`,
        status: 'open',
        payment_status: 'unpaid',
        amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        payment_intent: `pi_${sessions.size + 1}`,
        metadata: members(form, 'metadata'),
      };
      claims.intents.set(session.payment_intent, {
        id: session.payment_intent,
        object: 'payment_intent',
        metadata: members(form, 'payment_intent_data[metadata]'),
      });
      sessions.set(session.id, session);
      if (key !== undefined) byKey.set(key, { session, body });
      return answer(200, session);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stripe = new Stripe(STRIPE_ENV.STRIPE_SECRET_KEY);
  let events = 0;

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    claims,
    requests,
    fetched,
    silent,
    break: (now: boolean) => void (broken = now),
    /** Refuses to create sessions in this way; undefined: accepts again. */
    refuse: (how: Refusal | undefined) => void (refusal = how),
    /** A paid session that another installation with the same account opened. */
    foreign(change: Partial<Session>): Session {
      const session: Session = {
        id: `cs_foreign${sessions.size + 1}`,
        object: 'checkout.session',
        url: '',
        status: 'complete',
        payment_status: 'paid',
        amount_total: 0,
        currency: 'xof',
        payment_intent: `pi_foreign${sessions.size + 1}`,
        metadata: {},
        ...change,
      };
      sessions.set(session.id, session);
      return session;
    },
    /** A webhook about an object, signed like those of Stripe. */
    webhook(type: string, object: object, options: { id?: string; secret?: string; at?: number } = {}) {
      const payload = JSON.stringify({
        id: options.id ?? `evt_${(events += 1)}`,
        object: 'event',
        type,
        data: { object },
      });
      const signature = stripe.webhooks.generateTestHeaderString({
        payload,
        secret: options.secret ?? STRIPE_ENV.STRIPE_WEBHOOK_SECRET,
        timestamp: options.at ?? Math.floor(Date.now() / 1000),
      });
      return { payload, signature };
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
