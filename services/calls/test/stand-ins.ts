import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  status: number;
  body: unknown;
}
type Handle = (method: string, path: string, body: Record<string, unknown>) => Answer | Promise<Answer>;

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Starts an HTTP server that stands in for another process of the system. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const reply = (response: ServerResponse, { status, body }: Answer) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const refusal = (status: number, code: string): Answer => ({ status, body: { code, message: code } });

/** The behaviour of wallet: normal; no connection; no answer until `fine`; or lost answers after the effect. */
export type WalletMode = 'fine' | 'down' | 'slow' | 'loses answers';

interface Account {
  balance: number;
  held: number;
}

const isoNow = () => new Date().toISOString().replace('Z', '000Z');
const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString().replace('Z', '000Z');

/** The holds, charges and balances of a wallet, by its contract. Each reference takes effect once. */
function createBooks() {
  const accounts = new Map<number, Account>();
  const holdSeconds: { now: number | undefined } = { now: 600 };
  const holds = new Map<string, { user: number; amount: number }>();
  const charges = new Map<
    string,
    { step: number; amount: number; hold: string; commission: number; created_at: string }
  >();
  const refunds = new Map<string, { reference: string; amount: number; created_at: string }[]>();

  const account = (id: number): Account => {
    const found = accounts.get(id) ?? { balance: 0, held: 0 };
    accounts.set(id, found);
    return found;
  };
  const available = (id: number) => account(id).balance - account(id).held;

  function resize(reference: string, user: number, amount: number): void {
    const hold = holds.get(reference) ?? { user, amount: 0 };
    account(user).held += amount - hold.amount;
    holds.set(reference, { user, amount });
  }

  function hold(reference: string, user: number, amount: number): Answer {
    if (!holds.has(reference)) {
      if (available(user) < amount) return refusal(402, 'payment_required');
      resize(reference, user, amount);
    }
    const held = holds.get(reference)!.amount;
    return {
      status: 200,
      body: { reference, held, available: available(user), expires_at: inTenMinutes(), hold_seconds: holdSeconds.now },
    };
  }

  function charge(request: Record<string, unknown>): Record<string, unknown> {
    const reference = String(request['reference']);
    const holdName = String(request['hold']);
    const student = Number(request['student_id']);
    const amount = Number(request['amount']);
    const next = Number(request['next_amount']);
    if (!charges.has(reference)) {
      const held = holds.get(holdName)?.amount ?? 0;
      if (available(student) + held < amount)
        return { verdict: 'refused', charged: 0, reserved: held, available: available(student) };
      const commission = Math.floor((amount * Number(request['commission_percent'])) / 100);
      resize(holdName, student, held - Math.min(held, amount));
      account(student).balance -= amount;
      account(Number(request['teacher_id'])).balance += amount - commission;
      const { step } = request['call'] as { step: number };
      charges.set(reference, { step, amount, hold: holdName, commission, created_at: isoNow() });
      if (available(student) + holds.get(holdName)!.amount >= next) resize(holdName, student, next);
    }
    const charged = charges.get(reference)!.amount;
    const reserved = holds.get(holdName)?.amount ?? 0;
    return { verdict: 'done', charged, reserved, available: available(student), hold_seconds: holdSeconds.now };
  }

  function release(reference: string): Answer {
    const held = holds.get(reference);
    if (held) resize(reference, held.user, 0);
    return { status: 200, body: { released: held?.amount ?? 0 } };
  }

  function ledger(identifier: string): Answer {
    const ofCall = [...charges].filter(([, { hold: name }]) => name === `call:${identifier}`);
    const lines = ofCall.map(([reference, { step, amount, commission, created_at }]) => ({
      step,
      amount,
      commission,
      reference,
      created_at,
    }));
    return { status: 200, body: { currency: 'XOF', charges: lines, refunds: refunds.get(identifier) ?? [] } };
  }

  return { account, available, holds, charges, refunds, hold, charge, release, ledger, holdSeconds };
}

/** Removes the value under `key` and returns it. */
function take<Value>(map: Map<string, Value>, key: string): Value | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}

/** A stand-in for the wallet process. */
export async function startWallet() {
  const books = createBooks();
  let mode: WalletMode = 'fine';
  let resumed = Promise.withResolvers<void>();
  let requests = 0;
  const before = new Map<string, () => Promise<void>>();
  const after = new Map<string, () => unknown>();

  const handle: Handle = (method, path, body) => {
    const balance = /^\/internal\/balances\/(\d+)$/.exec(path);
    if (method === 'GET' && balance) {
      const id = Number(balance[1]);
      const { held, balance: total } = books.account(id);
      return {
        status: 200,
        body: { user_id: id, balance: total, held, available: total - held, currency: 'XOF', version: requests },
      };
    }
    const ledger = /^\/internal\/calls\/([^/]+)\/ledger$/.exec(path);
    if (method === 'GET' && ledger) return books.ledger(ledger[1]!);
    if (path === '/internal/holds')
      return books.hold(String(body['reference']), Number(body['user_id']), Number(body['amount']));
    if (path === '/internal/holds/release') return books.release(String(body['reference']));
    if (path === '/internal/charges/batch') {
      const charges = body['charges'] as Record<string, unknown>[];
      return { status: 200, body: charges.map((charge) => books.charge(charge)) };
    }
    return refusal(404, 'not_found');
  };

  const server = await serve(async (request, response) => {
    requests += 1;
    const body = await readJson(request);
    if (mode === 'down') {
      response.destroy();
      return;
    }
    if (mode === 'slow') await resumed.promise;
    const path = request.url ?? '';
    await take(before, path)?.();
    const answer = await handle(request.method ?? '', path, body);
    await take(after, path)?.();
    if (mode === 'loses answers') response.destroy();
    else reply(response, answer);
  });

  return {
    ...server,
    deposit: (user: number, amount: number) => void (books.account(user).balance += amount),
    balance: (user: number) => books.account(user).balance,
    held: (user: number) => books.account(user).held,
    /** The charged references, of one call or of all. */
    charges: (identifier = '') => [...books.charges.keys()].filter((reference) => reference.includes(identifier)),
    refund: (identifier: string, amount: number) => {
      const before = books.refunds.get(identifier) ?? [];
      const reference = `call:${identifier}:refund:${before.length + 1}`;
      books.refunds.set(identifier, [...before, { reference, amount, created_at: isoNow() }]);
    },
    /** Sets the `hold_seconds` of answers; undefined omits it, like the previous release. */
    setHoldSeconds: (seconds: number | undefined) => void (books.holdSeconds.now = seconds),
    setMode: (next: WalletMode) => {
      mode = next;
      resumed.resolve();
      resumed = Promise.withResolvers();
    },
    requests: () => requests,
    /** Runs `interlude` once, before the next request to `path` takes effect. */
    before: (path: string, interlude: () => Promise<void>) => void before.set(path, interlude),
    /** Runs `interlude` once, after the next request to `path` has taken effect and before its answer. */
    after: (path: string, interlude: () => unknown) => void after.set(path, interlude),
    /** Removes all interludes. */
    forget: () => [before, after].forEach((interludes) => interludes.clear()),
  };
}

export type WalletStandIn = Awaited<ReturnType<typeof startWallet>>;

/** A stand-in for the identity process: accounts and plans by id. */
export async function startIdentity() {
  const records = new Map<string, unknown>();
  const server = await serve(async (request, response) => {
    const record = records.get(request.url ?? '');
    reply(response, record ? { status: 200, body: record } : refusal(404, 'not_found'));
  });
  return {
    ...server,
    addRecord: (path: string, record: unknown) => void records.set(path, record),
  };
}

export type IdentityStandIn = Awaited<ReturnType<typeof startIdentity>>;
