import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus, topology } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { testKeys } from '@tutoring/shared/testing/keys';
import { startTestService, testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { wallet } from '../../services/wallet/src/app.ts';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { USERS, type UserName } from '../../deploy/nats/users.ts';
import { SECRETS } from '../journeys/system.ts';
import { root } from './processes.ts';

const passwords = natsPasswords(USERS);

test('a process that starts before the streams exist logs once that it waits, and once that they exist', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'early-'));
  const nats = await startNats({ dataDir: folder, passwords, log: () => undefined });
  const lines: string[] = [];
  const logger = createLogger('wallet', 'info', { write: (line) => void lines.push(line) });
  const logged = (what: RegExp) => lines.filter((line) => what.test(line)).length;
  const connectAs = (user: UserName) => {
    const url = natsUrlOf(user, { port: nats.port, passwords });
    return connectBus({ url, prefix: 'tutoring', name: user, limits: testLimits, logger });
  };
  const operator = await connectAs('operator');
  const NATS_URL = natsUrlOf('wallet', { port: nats.port, passwords });
  const service = await startTestService(wallet, { env: { ...SECRETS, NATS_URL }, prefix: 'tutoring', logger });
  try {
    await eventually('the consumers wait', () => service.service.bus.awaiting.size === 4);
    await operator.ensureStreams();
    for (const consumer of topology.allConsumers()) await operator.ensureConsumer(consumer);
    await eventually('no consumer waits', () => service.service.bus.awaiting.size === 0);
    expect([logged(/wait/), logged(/the NATS streams exist now/), logged(/"level":"(warn|error)"/)]).toEqual([1, 1, 0]);
  } finally {
    await service.stop();
    await operator.close();
    await nats.stop();
    await rm(folder, { recursive: true });
  }
});

test('a migration fails with the reason, before it changes the schema, when NATS refuses to create the streams', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'small-'));
  const nats = await startNats({ dataDir: folder, maxStore: 100_000_000, log: () => undefined });
  try {
    const env = {
      PORT: '0',
      PUBLIC_URL: 'http://school.test',
      FILES_URL: 'file:///files',
      NATS_URL: nats.url,
      NATS_EVENTS_BYTES: '200000000',
      ...testKeys('identity'),
      ...SECRETS,
      WALLET_URL: 'http://wallet:8080',
      MESSAGING_URL: 'http://messaging:8080',
      CALLS_URL: 'http://calls:8080',
      MAILBOX_FILE: join(folder, 'outbox.jsonl'),
      DATABASE_URL: 'postgres://identity_service@127.0.0.1:1/identity',
      // Nothing listens there: an attempt to migrate the schema would fail with ECONNREFUSED.
      MIGRATION_DATABASE_URL: 'postgres://identity_owner@127.0.0.1:1/identity',
      MIGRATION_NATS_URL: nats.url,
    };
    const main = join(root, 'services/identity/src/main.ts');
    const migrate = spawnSync(process.execPath, [main, 'migrate'], { env, encoding: 'utf8' });
    expect([migrate.status, migrate.stderr]).toEqual([1, '']);
    expect(migrate.stdout).toMatch(
      /refuses to create the stream tutoring-events-wallet: insufficient storage .*max_file_store/,
    );
    expect(migrate.stdout).not.toContain('ECONNREFUSED');
  } finally {
    await nats.stop();
    await rm(folder, { recursive: true });
  }
});
