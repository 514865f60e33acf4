import { z } from 'zod';

/* Requests to the REST interface of FedaPay. */

/** Longest answer that is read, in bytes. */
const LONGEST_ANSWER = 1_000_000;

const refusal = z.object({ message: z.string().catch(''), errors: z.record(z.string(), z.unknown()).catch({}) });

/** An answer of FedaPay with an error status. */
export class FedapayError extends Error {
  readonly status: number;
  /** The fields of the request that FedaPay does not accept. */
  readonly fields: string[];

  constructor(status: number, answer: unknown) {
    const { message, errors } = refusal.catch({ message: '', errors: {} }).parse(answer);
    const fields = Object.entries(errors).map(([field, reasons]) => `${field}: ${[reasons].flat().join(', ')}`);
    super([message, ...fields].filter((part) => part !== '').join('; ') || `FedaPay answered ${status}`);
    this.status = status;
    this.fields = Object.keys(errors);
  }
}

/** True when FedaPay has refused the request: it has done nothing. */
export const isRefused = (error: unknown): error is FedapayError =>
  error instanceof FedapayError && [400, 422].includes(error.status);

/** True when FedaPay does not accept our key, or no more requests now: it has done nothing. */
export const isTurnedAway = (error: unknown): error is FedapayError =>
  error instanceof FedapayError && [401, 403, 429].includes(error.status);

/** The result of a request; undefined when FedaPay answers with one of these statuses. */
export const unless = <Result>(statuses: number[], request: Promise<Result>): Promise<Result | undefined> =>
  request.catch((error: unknown) => {
    if (error instanceof FedapayError && statuses.includes(error.status)) return undefined;
    throw error;
  });

async function textOf({ body }: Response): Promise<string> {
  const chunks = body as AsyncIterable<Uint8Array> | null;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks ?? []) {
    bytes += chunk.length;
    if (bytes > LONGEST_ANSWER) throw new Error(`FedaPay answered more than ${LONGEST_ANSWER} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** FedaPay's answers name the object (`v1/transaction`), those in its reference do not. */
const contentOf = (answer: unknown, name: string): unknown =>
  (answer as Record<string, unknown> | null | undefined)?.[`v1/${name}`] ?? answer;

interface Asked<Value> {
  method: 'GET' | 'POST' | 'PUT';
  /** After the base URL. */
  path: string;
  body?: object;
  signal: AbortSignal;
  /** The name of the object in the answer. */
  name: string;
  answer: z.ZodType<Value>;
}

const withCurrency = z.object({
  currency: z.object({ iso: z.string() }).nullish().catch(undefined),
  currency_id: z.int().nullish().catch(undefined),
});

/** An address without a path gets the version that this adapter uses. */
const baseOf = (apiUrl: string) => `${apiUrl.replace(/\/+$/, '')}${new URL(apiUrl).pathname === '/' ? '/v1' : ''}`;

/** Connects to FedaPay. Requests reject with a FedapayError for an error status, else when there is no valid answer. */
export function connectFedapay({ secretKey, apiUrl }: { secretKey: string; apiUrl: string }) {
  const base = baseOf(apiUrl);
  const headers = { authorization: `Bearer ${secretKey}`, accept: 'application/json' };
  // In FedaPay's documentation 1 is XOF.
  const currencies = new Map([[1, 'XOF']]);

  async function request<Value>({ method, path, body, signal, name, answer }: Asked<Value>): Promise<Value> {
    const content = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    const response = await fetch(`${base}${path}`, { method, signal, redirect: 'error', headers, ...content });
    const json = parsed(await textOf(response));
    if (!response.ok) throw new FedapayError(response.status, json);
    return answer.parse(contentOf(json, name));
  }

  /** The ISO code of the currency of a transaction or payout, which may have its id alone; null when it has neither. */
  async function currencyOf(object: z.infer<typeof withCurrency>, signal: AbortSignal): Promise<string | null> {
    const { currency, currency_id: id } = object;
    if (currency) return currency.iso;
    if (typeof id !== 'number') return null;
    const known = currencies.get(id);
    if (known !== undefined) return known;
    const answer = z.object({ iso: z.string() });
    const { iso } = await request({ method: 'GET', path: `/currencies/${id}`, signal, name: 'currency', answer });
    currencies.set(id, iso);
    return iso;
  }

  return { request, currencyOf };
}

export type Fedapay = ReturnType<typeof connectFedapay>;

const amount = z
  .union([z.int(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .nullable()
  .catch(null);

/** Fields that transactions and payouts have. Only the id is certain: both may be those of other programs. */
export const moneyFields = {
  id: z.union([z.int(), z.string().min(1)]),
  status: z.string().catch(''),
  amount,
  merchant_reference: z.string().nullish().catch(undefined),
  ...withCurrency.shape,
};
