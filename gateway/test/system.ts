import { afterAll } from '@jest/globals';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { bearer, secretOf } from '@tutoring/shared/kit/identity/bearer';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { createLogger, type Logger } from '@tutoring/shared/kit/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { signerOf, testKeys } from '@tutoring/shared/testing/keys';
import { newPrefix, TEST_STREAMS } from '@tutoring/shared/testing/service';
import { send } from '@tutoring/shared/testing/client';
import { startGateway, type RunningGateway } from '../src/app.ts';
import { gatewayConfig } from '../src/config.ts';
import { timings, type Timings } from '../src/deadlines.ts';
import { answers, startStandIn, type Behaviour, type StandIn } from './stand-in.ts';

export const signer = signerOf('gateway');

/** A token in identity's format. */
export function tokenOf(id: number, letter = 'a'): string {
  return bearer(id, secretOf(`${letter}${id}`.padEnd(40, letter)));
}

export const student = (id: number): UserCaller => ({ kind: 'user', id, platform: 'student', tokenId: id });
export const teacher = (id: number): UserCaller => ({ ...student(id), platform: 'teacher' });
export const admin = (id: number): AdminCaller => ({ kind: 'admin', id, name: 'Ada', level: 'su', tokenId: id });

/** A stand-in for identity that verifies tokens; other routes answer as the test sets them up. */
export async function startIdentity() {
  const standIn = await startStandIn();
  const callers = new Map<string, UserCaller | AdminCaller>();
  const needsTotp = new Set<string>();
  const questions: string[] = [];
  const batches: string[][] = [];
  const expiries = new Map<string, string>();
  let otherRoutes: Behaviour = answers(200, { ok: true });
  let beforeVerdict: () => Promise<void> = async () => undefined;
  const ownerOf = (token: string) => {
    const caller = callers.get(token);
    if (!caller) return null;
    return { caller, expires_at: expiries.get(token) ?? null, ...(needsTotp.has(token) && { needs_totp: true }) };
  };
  const verdictOn = (body: string): Behaviour => {
    const { token, tokens } = JSON.parse(body) as { token: string; tokens?: string[] };
    if (tokens) batches.push(tokens);
    else questions.push(token);
    if (tokens) return answers(200, { holders: tokens.map(ownerOf) });
    const holder = ownerOf(token);
    return holder ? answers(200, holder) : answers(401, { code: 'unauthenticated', message: 'Unauthenticated.' });
  };
  standIn.respondWith((req, res, received) => {
    if (!['/internal/tokens/verify', '/internal/tokens/verify-batch'].includes(received.path)) {
      otherRoutes(req, res, received);
      return;
    }
    const verdict = verdictOn(received.body);
    void beforeVerdict().then(() => verdict(req, res, received));
  });
  return {
    ...standIn,
    callers,
    /** Tokens of administrators who must set up a second factor first. */
    needsTotp,
    /** Expiry times of tokens; without one, a token never expires. */
    expiries,
    /** Tokens that the gateway verified individually. */
    questions,
    /** Tokens that the gateway verified in batches. */
    batches,
    respondWith: (next: Behaviour) => void (otherRoutes = next),
    /** Delays the answers with verdicts, which are already decided, until the promise resolves. */
    hold: (until: () => Promise<void>) => void (beforeVerdict = until),
  };
}

const running = new Set<() => Promise<void>>();
/** Stops the systems that failed tests left running: an open gateway would keep the test run alive. */
afterAll(async () => {
  await Promise.all([...running].map((stop) => stop()));
});

export interface SystemOptions {
  env?: Record<string, string>;
  timings?: Partial<Timings>;
  /** The gateway's logger. */
  logger?: Logger;
}

/** Real gateways with a real NATS, in front of stand-ins for the four services. */
export async function startSystem(options: SystemOptions = {}) {
  const [identity, wallet, messaging, calls] = await Promise.all([
    startIdentity(),
    startStandIn(),
    startStandIn(),
    startStandIn(),
  ]);
  const prefix = newPrefix();
  const gateways: RunningGateway[] = [];
  const silent = createLogger('gateway', process.env['TEST_LOG_LEVEL'] ?? 'silent');

  const addGateway = async (more: SystemOptions = {}) => {
    const env = {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: 'http://public.test',
      NATS_URL: infra().natsUrl,
      NATS_PREFIX: prefix,
      ...TEST_STREAMS,
      ...testKeys('gateway'),
      IDENTITY_URL: identity.url,
      WALLET_URL: wallet.url,
      MESSAGING_URL: messaging.url,
      CALLS_URL: calls.url,
      ...options.env,
      ...more.env,
    };
    const config = parseConfig(gatewayConfig, env);
    const gateway = await startGateway(config, more.logger ?? options.logger ?? silent, {
      ...timings,
      ...options.timings,
      ...more.timings,
    });
    gateways.push(gateway);
    return gateway;
  };
  const stop = async () => {
    if (!running.delete(stop)) return;
    await Promise.all(gateways.map((each) => each.stop()));
    await Promise.all([identity, wallet, messaging, calls].map((each) => each.stop()));
  };
  running.add(stop);
  const gateway = await addGateway();

  return {
    prefix,
    gateway,
    addGateway,
    identity,
    wallet,
    messaging,
    calls,
    /** Makes the token of a caller valid. */
    login: (caller: UserCaller | AdminCaller, letter?: string) => {
      const token = tokenOf(caller.tokenId, letter);
      identity.callers.set(token, caller);
      return token;
    },
    api: client(gateway.url),
    stop,
  };
}

export type System = Awaited<ReturnType<typeof startSystem>>;
export type { StandIn };

export function client(url: string) {
  return (
    method: string,
    path: string,
    options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    send(method, `${url}${path}`, {
      body: options.body,
      headers: { ...(options.token && { authorization: `Bearer ${options.token}` }), ...options.headers },
    });
}
