import type { IncomingMessage } from 'node:http';

/* The part of the stand-in for Stripe that knows payment intents, disputes and refunds. */

interface Intent {
  id: string;
  object: 'payment_intent';
  metadata: Record<string, string>;
}

export interface StripeDispute {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  reason: string;
  status: string;
  charge: string;
  payment_intent: string | null;
  evidence_details: { due_by: number | null };
}

export interface StripeRefund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  status: string;
  charge: string;
  payment_intent: string;
  failure_reason?: string;
  metadata: Record<string, string>;
}

type Answer = (status: number, json: unknown) => void;

const MISSING = { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no such' } };
const listOf = (data: unknown[]) => ({ object: 'list', data, has_more: false, url: '/v1/list' });

export function createStripeClaims() {
  const intents = new Map<string, Intent>();
  const disputes = new Map<string, StripeDispute>();
  const refunds = new Map<string, StripeRefund>();
  const byKey = new Map<string, StripeRefund>();
  /** Requests to make a refund, by idempotency key. */
  const made: string[] = [];
  /** How the next requests to make a refund end; the refund is made unless it is refused. */
  let makes: 'success' | 'pending' | 'silent' | 'lost' | 'refused' = 'success';

  /** Done before a list of refunds is answered. */
  let beforeList = (): Promise<unknown> => Promise.resolve();

  const expanded = <Item extends { payment_intent: string | null }>(item: Item) => ({
    ...item,
    payment_intent: intents.get(item.payment_intent ?? '') ?? item.payment_intent,
  });
  const chargeOf = (intent: string) => intent.replace('pi_', 'ch_');

  function makeRefund(form: URLSearchParams, key: string): StripeRefund {
    const intent = form.get('payment_intent') ?? '';
    const refund: StripeRefund = {
      id: `re_${refunds.size + 1}`,
      object: 'refund',
      amount: Number(form.get('amount')),
      currency: 'xof',
      status: makes === 'pending' ? 'pending' : 'succeeded',
      charge: chargeOf(intent),
      payment_intent: intent,
      metadata: Object.fromEntries(
        [...form].flatMap(([field, value]) =>
          field.startsWith('metadata[') ? [[field.slice('metadata['.length, -1), value]] : [],
        ),
      ),
    };
    refunds.set(refund.id, refund);
    byKey.set(key, refund);
    return refund;
  }

  function make(form: URLSearchParams, key: string, answer: Answer): void {
    made.push(key);
    const known = byKey.get(key);
    if (known) return answer(200, known);
    if (makes === 'lost') return undefined;
    if (makes === 'refused')
      return answer(400, { error: { type: 'invalid_request_error', code: 'charge_disputed', message: 'Disputed.' } });
    const refund = makeRefund(form, key);
    return makes === 'silent' ? undefined : answer(200, refund);
  }

  return {
    intents,
    disputes,
    refunds,
    made,
    chargeOf,
    /** Decides how requests to make a refund end. `silent`: made without an answer; `lost`: neither. */
    willMake: (how: typeof makes) => void (makes = how),
    beforeLists: (work: typeof beforeList) => void (beforeList = work),
    addDispute(change: Partial<StripeDispute> & Pick<StripeDispute, 'payment_intent'>): StripeDispute {
      const dispute: StripeDispute = {
        id: `dp_${disputes.size + 1}`,
        object: 'dispute',
        amount: 5_000,
        currency: 'xof',
        reason: 'fraudulent',
        status: 'needs_response',
        charge: chargeOf(change.payment_intent ?? 'pi_none'),
        evidence_details: { due_by: 1_800_000_000 },
        ...change,
      };
      disputes.set(dispute.id, dispute);
      return dispute;
    },
    addRefund(change: Partial<StripeRefund> & Pick<StripeRefund, 'payment_intent'>): StripeRefund {
      const refund: StripeRefund = {
        id: `re_${refunds.size + 1}`,
        object: 'refund',
        amount: 5_000,
        currency: 'xof',
        status: 'succeeded',
        charge: chargeOf(change.payment_intent),
        metadata: {},
        ...change,
      };
      refunds.set(refund.id, refund);
      return refund;
    },
    /** Answers a request about intents, disputes and refunds; false for any other. */
    handle(request: IncomingMessage, body: string, answer: Answer): boolean {
      const url = new URL(request.url ?? '', 'http://stripe.test');
      const [, kind = '', id] = /^\/v1\/(payment_intents|disputes|refunds)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
      if (kind === '') return false;
      const found = { payment_intents: intents, disputes, refunds }[kind]?.get(id ?? '');
      if (request.method === 'POST')
        make(new URLSearchParams(body), String(request.headers['idempotency-key']), answer);
      else if (id !== undefined)
        answer(found ? 200 : 404, found ? ('payment_intent' in found ? expanded(found) : found) : MISSING);
      else {
        const [charge, intent] = [url.searchParams.get('charge'), url.searchParams.get('payment_intent')];
        const own = [...refunds.values()].filter((one) => one.charge === charge || one.payment_intent === intent);
        void beforeList().then(() => answer(200, listOf(own.map(expanded))));
      }
      return true;
    },
  };
}
