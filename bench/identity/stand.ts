import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IDENTITY_HEADER, type Caller } from '@tutoring/shared/kit/identity/auth';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { signerOf, testKeys } from '@tutoring/shared/testing/keys';
import { Client } from 'pg';
import { freePort, provision } from '../../deploy/local/servers.ts';
import { openOrDispose, startProgram, startServers } from '../processes.ts';

const PASSWORDS = { identity_owner: 'o'.repeat(16), identity_service: 's'.repeat(16) };
const ROOT = new URL('../../', import.meta.url);

export interface Stand {
  /** Runs SQL as the schema's owner. */
  sql(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Sends a request as the gateway does. Rejects unless the response is 200. */
  call(method: string, path: string, caller: Caller, body?: unknown): Promise<string>;
  close(): Promise<void>;
}

/** Starts identity as a separate process with its own durable servers. */
export const openStand = (): Promise<Stand> => openOrDispose(open);

async function open(opened: AsyncDisposableStack): Promise<Stand> {
  const { folder, postgres, nats } = await startServers(opened, 'identity-bench-');
  const urls = (await provision(postgres.url, { names: ['identity'], passwords: PASSWORDS }))['identity'];
  if (!urls) throw new Error('no database');
  await migrate(urls.ownerUrl, new URL('services/identity/migrations/', ROOT));
  const port = await freePort();
  const nowhere = 'http://127.0.0.1:1';
  await startProgram(opened, 'services/identity/src/main.ts', {
    ...{ NODE_ENV: 'development', PORT: String(port) },
    ...{ PUBLIC_URL: 'http://bench.test', NATS_URL: nats.url, CODE_KEYS: `bench:${'b'.repeat(32)}` },
    ...testKeys('identity'),
    ...{ DATABASE_URL: urls.serviceUrl, MAILBOX_FILE: join(folder, 'outbox.jsonl') },
    FILES_URL: pathToFileURL(join(folder, 'files')).href,
    ...{ WALLET_URL: nowhere, MESSAGING_URL: nowhere, CALLS_URL: nowhere },
  });
  const owner = new Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  opened.defer(() => owner.end());
  const signer = signerOf('gateway');
  const claims = new Map<Caller, () => string>();
  /** Signs the caller as the gateway does: again every few seconds. */
  const identityOf = (caller: Caller) => {
    const claim = claims.get(caller) ?? signer.claim(caller, 'identity');
    claims.set(caller, claim);
    return claim();
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  opened.defer(() => agent.destroy());

  const call: Stand['call'] = (method, path, caller, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        [IDENTITY_HEADER]: identityOf(caller),
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        response.on('end', () =>
          response.statusCode === 200 ? resolve(answer) : reject(new Error(`${response.statusCode} ${answer}`)),
        );
      });
      sent.on('error', reject).end(text);
    });

  return {
    sql: async (statement, values = []) => (await owner.query<Record<string, unknown>>(statement, values)).rows,
    call,
    close: () => opened.disposeAsync(),
  };
}

export interface Load {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Repeats `work` in `clients` loops for `seconds`. Latencies are in milliseconds. */
export async function load(clients: number, seconds: number, work: (n: number) => Promise<unknown>): Promise<Load> {
  const latencies: number[] = [];
  const start = performance.now();
  let n = 0;
  const loop = async () => {
    while (performance.now() - start < seconds * 1_000) {
      const began = performance.now();
      await work((n += 1));
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  const took = (performance.now() - start) / 1_000;
  const sorted = latencies.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: latencies.length / took, p50: at(0.5), p99: at(0.99) };
}

export const show = ({ perSecond, p50, p99 }: Load) =>
  `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
