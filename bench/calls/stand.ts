import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bearer, secretOf } from '@tutoring/shared/kit/identity/bearer';
import { columnTypes } from '@tutoring/shared/kit/database/connection';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { testKeys } from '@tutoring/shared/testing/keys';
import { user } from '@tutoring/shared/testing/user';
import { Client } from 'pg';
import { freePort, provision } from '../../deploy/local/servers.ts';
import { openOrDispose, startProgram, startServers } from '../processes.ts';

type Name = 'calls' | 'wallet' | 'messaging';
const NAMES: Name[] = ['calls', 'wallet', 'messaging'];
const PASSWORDS = Object.fromEntries(
  NAMES.flatMap((name) => [`${name}_owner`, `${name}_service`]).map((role) => [role, 'p'.repeat(24)]),
);
const AT = '2026-01-01T00:00:00.000000Z';
export const STAND = {
  ROOM_NAMESPACE: '0f3c7f3e-9a53-4d59-8a51-2f6c6f7d1b11',
  CALENDAR_KEYS: `bench:${'b'.repeat(32)}`,
  AGORA_APP_ID: '0123456789abcdef0123456789abcdef',
  AGORA_APP_CERTIFICATE: 'fedcba9876543210fedcba9876543210',
  SANDBOX_WEBHOOK_SECRET: 'bench-sandbox-secret-0123456789',
};

/** Odd ids are students, even ones teachers. */
export const pairOf = (n: number) => ({ student: 2 * n + 1, teacher: 2 * n + 2 });

/** A well-formed bearer token from which the stand-in for identity reads the user id. */
export const tokenOf = (userId: number) => bearer(userId, secretOf(String(userId).padStart(40, 'x')));

const platformOf = (id: number) => (id % 2 === 0 ? 'teacher' : 'student');

const PLAN = {
  id: 1,
  name: 'Basic',
  points: 1,
  image_cost: 1,
  deleted: false,
  created_at: AT,
  updated_at: AT,
  version: 1,
};

async function bodyOf(request: IncomingMessage): Promise<{ token?: string }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length > 0 ? (JSON.parse(Buffer.concat(parts).toString()) as { token?: string }) : {};
}

/** Stands in for identity (tokens, accounts, the plan and readiness) and for the readiness of messaging. */
async function answerAsIdentity(request: IncomingMessage): Promise<unknown> {
  const path = request.url ?? '';
  if (path === '/internal/tokens/verify') {
    const id = Number((await bodyOf(request)).token?.split('|')[0]);
    return { caller: { kind: 'user', id, platform: platformOf(id), tokenId: id }, expires_at: null };
  }
  const id = /^\/internal\/users\/(\d+)$/.exec(path)?.[1];
  if (id) return user(Number(id), platformOf(Number(id)));
  return path === '/internal/plans/1' ? PLAN : { status: 'ready' };
}

async function startIdentity() {
  const server = createServer((request, response) => {
    void answerAsIdentity(request).then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Gives people money in the same tables as a deposit, so that the ledger is consistent. */
export const payIn = (stand: Pick<Stand, 'sql'>, people: number[], amount: number) =>
  stand.sql(
    'wallet',
    `with paid as (
       insert into deposit (user_id, amount, currency, status, provider, entries)
       select id, $2, 'XOF', 'success', 'sandbox', 1 from unnest($1::bigint[]) id
       returning id, user_id, amount, currency, status
     ), posted as (
       insert into transfer (kind, reference, debit_account, credit_account, amount)
       select 'deposit', 'deposit:' || id || ':1', -10, user_id, amount from paid
     ), listed as (
       insert into payment (source, user_id, type, direction, amount, currency, status)
       select 'deposit:' || id, user_id, 'deposit', 'in', amount, currency, status from paid
     )
     insert into account (user_id, balance) select user_id, amount from paid`,
    [people, amount],
  );

const migrations = (name: string) => new URL(`../../services/${name}/migrations/`, import.meta.url);

/** Migrates a database, and connects to it as the schema's owner. */
async function openOwner(opened: AsyncDisposableStack, name: Name, connectionString: string): Promise<Client> {
  await migrate(connectionString, migrations(name));
  const owner = new Client({ connectionString, types: columnTypes });
  await owner.connect();
  opened.defer(() => owner.end());
  return owner;
}

/** Starts PostgreSQL and NATS as in production (every commit reaches the disk), a gateway and these services. */
export const openStand = (names: Name[] = ['wallet', 'calls']) => openOrDispose((opened) => open(opened, names));

async function open(opened: AsyncDisposableStack, names: Name[]) {
  const { folder, postgres, nats } = await startServers(opened, 'bench-calls-');
  const identity = await startIdentity();
  opened.defer(() => void identity.close());
  const databases = await provision(postgres.url, { names, passwords: PASSWORDS });
  const owners: Partial<Record<Name, Client>> = {};
  for (const name of names) owners[name] = await openOwner(opened, name, databases[name]!.ownerUrl);

  const urls: Record<string, string> = { IDENTITY_URL: identity.url, MESSAGING_URL: identity.url };
  const order = [...names, 'gateway' as const];
  const ports: Partial<Record<(typeof order)[number], number>> = {};
  for (const name of order) ports[name] = await freePort();
  for (const [name, port] of Object.entries(ports)) urls[`${name.toUpperCase()}_URL`] = `http://127.0.0.1:${port}`;

  const children: Record<string, ChildProcess> = {};
  /** Starts a process under `name` and stops it with the stand. Resolves when the process is ready. */
  async function launch(name: string, entry: string, port: number, env: Record<string, string>): Promise<void> {
    children[name] = await startProgram(opened, entry, {
      PORT: String(port),
      PUBLIC_URL: 'http://127.0.0.1',
      NATS_URL: nats.url,
      API_RATE_LIMIT: '1000000000',
      MAX_IDLE_PER_NETWORK: '10000',
      ...STAND,
      MAILBOX_FILE: join(folder, 'outbox.jsonl'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      ...urls,
      ...env,
    });
  }
  const start = (name: (typeof order)[number]) =>
    launch(name, `${name === 'gateway' ? name : `services/${name}`}/src/main.ts`, ports[name]!, {
      ...testKeys(name),
      ...(name !== 'gateway' && { DATABASE_URL: databases[name]!.serviceUrl }),
    });
  for (const name of order) await start(name);

  const numberIn = async (file: string) => Number.parseInt(await readFile(join(folder, file), 'utf8'), 10);
  return {
    url: `http://127.0.0.1:${ports.gateway}`,
    postgresUrl: postgres.url,
    natsUrl: nats.url,
    /** URL of a service's database, as the schema's owner. */
    ownerUrl: (name: Name) => databases[name]!.ownerUrl,
    folder,
    pids: {
      gateway: children['gateway']!.pid!,
      calls: children['calls']!.pid!,
      wallet: children['wallet']!.pid!,
      postgres: await numberIn('postgres/data/postmaster.pid'),
      nats: await numberIn('nats/nats.pid'),
      'load generator': process.pid,
    },
    /** Runs SQL as the schema's owner, on one connection: new connections would add load. */
    sql: async (name: Name, statement: string, parameters: unknown[] = []) =>
      (await owners[name]!.query<Record<string, unknown>>(statement, parameters)).rows,
    /** Creates a wallet database that no process uses. Returns its URL, as the owner. */
    async newWallet(prefix: string): Promise<string> {
      const { wallet } = await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS, prefix });
      await migrate(wallet!.ownerUrl, migrations('wallet'));
      return wallet!.ownerUrl;
    },
    /** Starts another program instead of calls, behind another gateway. Returns that gateway's address. */
    async insteadOfCalls(entry: string): Promise<string> {
      const [own, gateway] = [await freePort(), await freePort()];
      await launch('other', entry, own, { DATABASE_URL: databases['calls']!.serviceUrl });
      // A separate prefix keeps the first gateway's events away.
      const env = { ...testKeys('gateway'), CALLS_URL: `http://127.0.0.1:${own}`, NATS_PREFIX: 'other' };
      await launch('other gateway', 'gateway/src/main.ts', gateway, env);
      return `http://127.0.0.1:${gateway}`;
    },
    /** Sets the offset of the clock by which calls are billed. */
    shiftClock: (seconds: number) =>
      owners.calls!.query(
        `insert into app_clock (shift) values (make_interval(secs => $1))
         on conflict (only_row) do update set shift = excluded.shift`,
        [seconds],
      ),
    close: () => opened.disposeAsync(),
  };
}

export type Stand = Awaited<ReturnType<typeof open>>;
