import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WantedPayout } from '../src/providers/provider.ts';

/** A payout as the operator has it. */
export interface KnownPayout {
  key: string;
  ref: string;
  reference: string;
  status: string;
  amount: number;
  currency: string;
  message?: string;
}

/**
 * What the operator does with what is sent: the status that it gives it, or `refuses` (paid by nobody), `lost` (the
 * request gets lost), `mute` (it is paid, the answer gets lost), `hangs` (it is taken when `release` is called), `turns
 * away` (it reads no request).
 */
export type Mood = 'paid' | 'pending' | 'failed' | 'lost' | 'mute' | 'hangs' | 'turns away' | 'strange word';

export const OPERATOR_KEY = 'key-of-the-operator';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const reply = (response: ServerResponse, status: number, json: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));

/** Starts an operator that counts what is sent under each key. */
export async function startOperator() {
  const payouts = new Map<string, KnownPayout>();
  const sends = new Map<string, number>();
  const hanging: (() => void)[] = [];
  const state = { mood: 'paid' as Mood, isAway: false, balance: 70_000, turnedAway: 0 };

  function take({ key, reference, amount, currency }: WantedPayout, status: string): KnownPayout {
    const message = status === 'failed' ? { message: 'The wallet is full.' } : {};
    const taken = { key, ref: `op-${payouts.size + 1}`, reference, status, amount, currency, ...message };
    payouts.set(key, taken);
    return taken;
  }

  function send(wanted: WantedPayout, response: ServerResponse): void {
    const { mood } = state;
    sends.set(wanted.key, (sends.get(wanted.key) ?? 0) + 1);
    if (mood === 'lost') return void response.destroy();
    if (mood === 'hangs') return void hanging.push(() => reply(response, 200, take(wanted, 'paid')));
    const taken = take(wanted, mood === 'mute' ? 'paid' : mood);
    if (mood === 'mute') return void response.destroy();
    reply(response, 200, taken);
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      if (state.isAway) return reply(response, 503, {});
      if (state.mood === 'turns away') {
        if (request.method === 'POST') state.turnedAway += 1;
        return reply(response, 401, {});
      }
      if (request.url === '/balance') return reply(response, 200, state.balance);
      if (request.method === 'POST') return send(JSON.parse(text) as WantedPayout, response);
      const name = (request.url ?? '').slice('/payouts/'.length);
      const known = payouts.get(name) ?? [...payouts.values()].find(({ ref }) => ref === name);
      return known ? reply(response, 200, known) : reply(response, 404, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    state,
    payouts,
    sends,
    /** Sets how the operator takes what is sent from now on. */
    be: (mood: Mood) => void (state.mood = mood),
    /** Number of requests that hang. */
    hanging: () => hanging.length,
    release: () => hanging.splice(0).forEach((answer) => answer()),
    byReference: (reference: string) => [...payouts.values()].find((payout) => payout.reference === reference),
    env: { OPERATOR_KEY, OPERATOR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Operator = Awaited<ReturnType<typeof startOperator>>;
