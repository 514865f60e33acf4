import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { freePort, startNats, startPostgres } from '../../deploy/local/servers.ts';
import { migrate } from '../kit/database/migrate.ts';
import { openDatabase } from '../kit/database/open.ts';
import { value } from '../kit/database/sql.ts';
import { connectBus } from '../contract/bus.ts';
import { createLogger } from '../kit/process/logger.ts';
import { sql } from '../testing/infra.ts';
import { testLimits } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';

/* `tls://` in NATS_URL and `sslmode=verify-full` in PostgreSQL URLs require TLS. */

let folder: string;
let certificate: { cert: string; key: string };
const trusted = getCACertificates('default');
const logger = createLogger('test', 'silent');
const bus = (url: string) => connectBus({ url, prefix: 'tls', name: 'test', limits: testLimits, logger });
/** Options of a server; each start has the same token. */
const server = () => ({ dataDir: join(folder, 'nats'), durable: false, tls: certificate, log: () => undefined });
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-'));
  certificate = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const made = ['-keyout', certificate.key, '-out', certificate.cert, '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made, ...names], { stdio: 'ignore' });
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await rm(folder, { recursive: true, force: true });
});

test('a `tls://` client connects only to a server whose certificate is trusted', async () => {
  const nats = await startNats(server());
  token = new URL(nats.url).username;
  const connecting = bus(`tls://${token}@localhost:${nats.port}`);
  const log = () => readFile(join(folder, 'nats/nats.log'), 'utf8');
  await eventually('the certificate is refused', async () => /TLS handshake error/.test(await log()));
  // As NODE_EXTRA_CA_CERTS does when a process starts.
  setDefaultCACertificates([...trusted, await readFile(certificate.cert, 'utf8')]);
  const connected = await connecting;
  expect(connected.connection.info).toMatchObject({ tls_required: true });
  await connected.ensureStreams();
  await connected.close();
  await nats.stop();
});

test('a `tls://` client sends no credentials to a server without TLS', async () => {
  const received: string[] = [];
  let connections = 0;
  const sockets = new Set<Socket>();
  const info = {
    server_id: 'X',
    version: '2.14.0',
    proto: 1,
    headers: true,
    max_payload: 1_048_576,
    auth_required: true,
  };
  const plain = createServer((socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined).on('data', (data) => received.push(data.toString())));
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  });
  const port = await freePort();
  await new Promise<void>((done) => plain.listen(port, '127.0.0.1', done));
  const connecting = bus(`tls://${token}@localhost:${port}`);
  await eventually('it tried again', () => connections >= 3);
  expect(received).toEqual([]);
  // The same server is restarted with TLS: the same bus reconnects.
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => plain.close(done));
  const nats = await startNats({ ...server(), port });
  const connected = await connecting;
  await connected.close();
  await nats.stop();
});

/** A PostgreSQL server that requires TLS; its certificate has the name `localhost`. */
async function secureDatabase() {
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false, log: () => undefined });
  const cluster = join(folder, 'postgres/data');
  const { uid, gid } = await stat(cluster);
  const files = { cert: join(cluster, 'server.crt'), key: join(cluster, 'server.key') };
  const made = ['-keyout', files.key, '-out', files.cert, '-days', '2', '-subj', '/CN=localhost'];
  const name = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...made, ...name], { stdio: 'ignore' });
  for (const file of Object.values(files)) {
    await chown(file, uid, gid);
    await chmod(file, 0o600);
  }
  const authority = join(folder, 'authority.pem');
  await copyFile(files.cert, authority);
  await writeFile(join(cluster, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  await sql(server.url, 'alter system set ssl = on');
  await sql(server.url, 'select pg_reload_conf()');
  const url = (host: string, parameters: Record<string, string>) => {
    const made = new URL(server.url);
    made.hostname = host;
    for (const [key, text] of Object.entries(parameters)) made.searchParams.set(key, text);
    return made.href;
  };
  return { server, url, authority };
}

/** Connects by a migration without files, which does nothing else. */
const connecting = async (url: string) => {
  const empty = pathToFileURL(`${await mkdtemp(join(folder, 'empty-'))}/`);
  return migrate(url, empty, empty).then(
    () => 'connected',
    (error: Error) => (error.cause instanceof Error ? error.cause : error).message,
  );
};

test('sslmode=verify-full connects only to a server with a trusted certificate for its name', async () => {
  const { server, url, authority } = await secureDatabase();
  const secure = { sslmode: 'verify-full', sslrootcert: authority };
  try {
    await eventually('the server speaks TLS', async () => (await connecting(url('localhost', secure))) === 'connected');
    const database = await openDatabase({ url: url('localhost', secure), name: 'test', pool: 2, logger });
    const question = 'select ssl as value from pg_stat_ssl where pid = pg_backend_pid()';
    expect(await value(database.manager, question)).toBe(true);
    await database.close();
    expect(await connecting(url('127.0.0.1', secure))).toMatch(/altnames/);
    expect(await connecting(url('localhost', { sslmode: 'verify-full' }))).toMatch(/self-signed/);
    expect(await connecting(url('localhost', {}))).toMatch(/no encryption/);
  } finally {
    await server.stop();
  }
});

test('sslmode=verify-full sends no credentials to a server without TLS', async () => {
  const received: string[] = [];
  const plain = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        received.push(data.toString('latin1'));
        // The answer of a PostgreSQL server without TLS.
        socket.write('N');
      });
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as { port: number };
  const url = `postgres://wallet_owner:secret@localhost:${port}/wallet?sslmode=verify-full`;
  expect(await connecting(url)).toMatch(/does not support SSL/);
  expect(received.join('')).not.toContain('wallet');
  await new Promise((resolve) => plain.close(resolve));
});
