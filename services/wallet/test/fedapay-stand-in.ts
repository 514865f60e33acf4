import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const FEDAPAY_ENV = { FEDAPAY_SECRET_KEY: 'sk_sandbox_wallet', FEDAPAY_WEBHOOK_SECRET: 'wh_sandbox_wallet' };

interface Kept {
  id: number;
  klass: string;
  status: string;
  amount: number;
  merchant_reference: string | null;
  currency_id: number;
  currency?: { iso: string };
  deleted_at?: string | null;
  last_error_message?: string | null;
}
export interface Transaction extends Kept {
  description?: string;
  callback_url?: string;
  mode?: string | null;
  custom_metadata: Record<string, string>;
}
export interface Payout extends Kept {
  mode?: string;
  description?: string;
  customer?: { firstname: string; lastname: string; phone_number: { number: string; country: string } };
}

/** How a request is answered: with this status and body, or not although it was carried out (`held`: until `hangUp`). */
type Answer = { status: number; body: unknown } | 'held' | 'lost';

/**
 * A stand-in for FedaPay, made from its documentation and its library for PHP: the paths, the names of the objects in
 * answers, `include`, the uniqueness of merchant references, and the two steps of a payout.
 */
export async function startFedapay() {
  const transactions = new Map<number, Transaction>();
  const payouts = new Map<number, Payout>();
  const requests: { method: string; path: string; body: Record<string, never> }[] = [];
  const answers: { match: RegExp; answer: Answer }[] = [];
  const held: ServerResponse[] = [];
  const usual = { startedAs: 'started', includesCurrency: true, takenField: 'merchant_reference', answersAfterMs: 0 };
  const settings = { ...usual };
  let ids = 1_000;
  let events = 0;

  const byReference = <One extends Kept>(all: Map<number, One>, reference: string) =>
    [...all.values()].find((one) => one.merchant_reference === reference);
  const missing = { status: 404, body: { message: 'Ressource non trouvée' } };
  const show = (name: string, { currency, ...rest }: Kept) => ({
    status: 200,
    body: { [`v1/${name}`]: settings.includesCurrency ? { ...rest, currency } : rest },
  });

  function create<One extends Kept>(all: Map<number, One>, name: string, body: Omit<One, keyof Kept> & Partial<Kept>) {
    if (byReference(all, body.merchant_reference ?? ''))
      return { status: 422, body: { message: 'Création échouée', errors: { [settings.takenField]: ['existe déjà'] } } };
    const id = (ids += 1);
    const one = { ...body, id, klass: `v1/${name}`, status: 'pending', currency_id: 1 } as One;
    all.set(id, one);
    return { ...show(name, one), status: 201 };
  }

  function start(body: { payouts: { id: number }[] }) {
    const started = body.payouts.map(({ id }) => payouts.get(id));
    if (!started.every((payout) => payout?.status === 'pending'))
      return { status: 400, body: { message: 'Dépôt déjà démarré' } };
    for (const payout of started) payout!.status = settings.startedAs;
    return { status: 200, body: { 'v1/payouts': started } };
  }

  function handle(method: string, path: string, body: never): { status: number; body: unknown } {
    const [, kind = '', , id = '', action] = /^\/v1\/(\w+)(\/(merchant\/[\w-]+|\w+)(?:\/(\w+))?)?$/.exec(path) ?? [];
    const all: Map<number, Kept> = kind === 'payouts' ? payouts : transactions;
    if (kind === 'currencies')
      return { status: id === '2' ? 200 : 404, body: { 'v1/currency': { id: 2, iso: 'XOF' } } };
    if (kind === 'balances')
      return {
        status: 200,
        body: {
          'v1/balances': [
            { amount: 70_000, mode: 'mtn' },
            { amount: 5_000, mode: 'moov' },
          ],
        },
      };
    if (method === 'PUT' && kind === 'payouts' && id === 'start') return start(body);
    if (method === 'POST' && id === '' && kind === 'payouts') return create(payouts, 'payout', body);
    if (method === 'POST' && id === '') return create(transactions, 'transaction', body);
    const one = id.startsWith('merchant/') ? byReference(all, id.slice(9)) : all.get(Number(id));
    if (!one) return missing;
    if (method === 'POST' && action === 'token')
      return { status: 200, body: { token: `tok_${one.id}`, url: `https://process.fedapay.test/tok_${one.id}` } };
    return show(kind === 'payouts' ? 'payout' : 'transaction', one);
  }

  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const method = request.method ?? '';
      const path = (request.url ?? '').replace(/\?.*/, '');
      const body = JSON.parse(text || '{}') as never;
      requests.push({ method, path, body });
      const planned = answers.find(({ match }) => match.test(`${method} ${path}`))?.answer;
      const isKnown = request.headers.authorization === `Bearer ${FEDAPAY_ENV.FEDAPAY_SECRET_KEY}`;
      const unauthorized = { status: 401, body: { message: "Erreur d'authentification" } };
      const own = typeof planned === 'object' ? planned : isKnown ? handle(method, path, body) : unauthorized;
      if (planned === 'lost') response.destroy();
      if (planned === 'held') held.push(response);
      if (planned === 'lost' || planned === 'held') return;
      setTimeout(() => {
        response.writeHead(own.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(own.body));
      }, settings.answersAfterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    transactions,
    payouts,
    requests,
    settings,
    /** Requests with this method and path. */
    asked: (match: RegExp) => requests.filter(({ method, path }) => match.test(`${method} ${path}`)),
    /** Answers requests like this until `reset`. */
    answer: (match: RegExp, answer: Answer) => void answers.unshift({ match, answer }),
    reset() {
      answers.length = 0;
      requests.length = 0;
      Object.assign(settings, usual);
    },
    /** Breaks the connections of all requests that were never answered. */
    hangUp: () => held.splice(0).forEach((response) => response.destroy()),
    /** An approved transaction that another installation with the same account opened. */
    foreign(change: Partial<Transaction>): Transaction {
      const id = (ids += 1);
      const money = { amount: 5_000, currency_id: 1, currency: { iso: 'XOF' } };
      const common = { id, klass: 'v1/transaction', status: 'approved', merchant_reference: null, ...money };
      const transaction: Transaction = { ...common, custom_metadata: {}, ...change };
      transactions.set(id, transaction);
      return transaction;
    },
    /** A webhook about an object, signed like those of FedaPay. */
    webhook(name: string, entity: object, options: { id?: number; secret?: string; at?: number } = {}) {
      const payload = JSON.stringify({ id: options.id ?? (events += 1), name, object: name.split('.')[0], entity });
      const time = options.at ?? Math.floor(Date.now() / 1000);
      const mac = createHmac('sha256', options.secret ?? FEDAPAY_ENV.FEDAPAY_WEBHOOK_SECRET);
      return { payload, signature: `t=${time},s=${mac.update(`${time}.${payload}`).digest('hex')}` };
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
