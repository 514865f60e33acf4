import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startNats } from '../../deploy/local/servers.ts';
import { connectBus } from '../src/events/bus.ts';
import { createLogger } from '../src/process/logger.ts';
import { testLimits } from '../src/testing/service.ts';
import { eventually } from '../src/testing/wait.ts';

/* `tls://` in NATS_URL: TLS or not at all. */

let folder: string;
let certificate: { cert: string; key: string };
const trusted = getCACertificates('default');
const logger = createLogger('test', 'silent');
const bus = (url: string) => connectBus({ url, prefix: 'tls', name: 'test', limits: testLimits, logger });
/** With the same token each time. */
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

test('speaks TLS with a server whose certificate is trusted, and sends nothing to one whose is not', async () => {
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

test('gives no credentials to a server that speaks plainly', async () => {
  const heard: string[] = [];
  let dialled = 0;
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
    dialled += 1;
    sockets.add(socket.on('error', () => undefined).on('data', (data) => heard.push(data.toString())));
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  });
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
  const { port } = plain.address() as { port: number };
  const connecting = bus(`tls://${token}@localhost:${port}`);
  await eventually('it tried again', () => dialled >= 3);
  expect(heard).toEqual([]);
  // The same server is restarted with TLS: the same bus reconnects.
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => plain.close(done));
  const nats = await startNats({ ...server(), port });
  const connected = await connecting;
  await connected.close();
  await nats.stop();
});
