import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { makeStreams } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import type { ProcessName } from '@tutoring/shared/contract/names';
import { cloneDatabase, infra, sql, type TestDatabase } from '@tutoring/shared/testing/infra';
import { makeKeys } from '@tutoring/shared/testing/keys';
import { testLimits } from '@tutoring/shared/testing/service';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { freePort, natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { USERS } from '../../deploy/nats/users.ts';
import { systemOf } from '../cluster/lesson.ts';
import { PROCESSES } from '@tutoring/shared/contract/names';
import { deploy, type Deployment } from '../cluster/replicas.ts';
import { checkNothingIsLost, startTraffic, type Traffic } from '../cluster/traffic.ts';
import { adminToken, as, data } from '../journeys/people.ts';
import { SECRETS } from '../journeys/system.ts';

/* Rotates every secret as described in docs/operations.md ("Rotating keys") under load. */

const PREFIX = 'tutoring';
const [FIRST, SECOND] = [makeKeys('k1'), makeKeys('k2')];
const [OLD_PAIR, NEW_PAIR] = [`k1:${'a1'.repeat(20)}`, `k2:${'b2'.repeat(20)}`];

/** The secrets with which processes are started next. */
const secrets = {
  signing: FIRST,
  trusted: FIRST('wallet').TRUSTED_KEYS,
  pairs: OLD_PAIR,
  nats: natsPasswords(USERS),
  login: (url: string) => url,
};

let folder: string;
let port: number;
let nats: Awaited<ReturnType<typeof startNats>>;
let deployment: Deployment;
let traffic: Traffic;
const databases = new Map<ProcessName, TestDatabase>();

const runNats = async () => {
  const log = () => undefined;
  nats = await startNats({ dataDir: folder, port, passwords: secrets.nats, log });
};
const natsUrl = (user: string) => natsUrlOf(user, { port, passwords: secrets.nats });

function environmentOf(name: ProcessName): Record<string, string> {
  const database = databases.get(name);
  return {
    SIGNING_KEY: secrets.signing(name).SIGNING_KEY,
    TRUSTED_KEYS: secrets.trusted,
    NATS_URL: natsUrl(name),
    ...(name === 'identity' && { CODE_KEYS: secrets.pairs, TOTP_KEYS: secrets.pairs }),
    ...(database && { DATABASE_URL: secrets.login(database.url) }),
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotation-'));
  port = await freePort();
  await runNats();
  const logger = createLogger('rotation', 'silent');
  await makeStreams({ url: natsUrl('operator'), prefix: PREFIX, name: 'rotation', limits: testLimits, logger });
  const databaseOf = async (name: Parameters<typeof cloneDatabase>[0]) => {
    const database = await cloneDatabase(name);
    databases.set(name, database);
    return database;
  };
  deployment = await deploy(2, { databaseOf, env: { NATS_PREFIX: PREFIX }, envOf: environmentOf, removesLate: true });
  traffic = await startTraffic(deployment);
});
afterAll(async () => {
  await deployment.stop();
  await nats.stop();
  await rm(folder, { recursive: true });
});

/** Calls `change`, restarts the processes one replica at a time, and checks that no request fails. */
async function rollOut(change: () => Promise<void> | void, names: readonly (typeof PROCESSES)[number][] = PROCESSES) {
  const [sent, repeats] = [traffic.sent(), traffic.repeats()];
  await change();
  expect(await Promise.all(names.map((name) => deployment.roll(name)))).toEqual(names.map(() => [0, 0]));
  process.stdout.write(`${JSON.stringify({ requests: traffic.sent() - sent, failed: traffic.repeats() - repeats })}\n`);
  expect(traffic.repeats()).toBe(repeats);
}

test('signing keys and keys of codes and second factors are rotated in three rollouts', async () => {
  const system = systemOf(deployment);
  const admin = as(system, await adminToken(system));
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = SECRETS;
  const { secret } = data<{ secret: string }>(await admin.post('api/admin/auth/totp', { current_password: password }));
  const code = (seconds = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1_000 });
  data(await admin.put('api/admin/auth/totp', { code: code() }));

  const [first, second] = [FIRST('wallet').TRUSTED_KEYS, SECOND('wallet').TRUSTED_KEYS];
  await rollOut(() => void Object.assign(secrets, { trusted: `${first},${second}`, pairs: `${OLD_PAIR},${NEW_PAIR}` }));
  await rollOut(() => void Object.assign(secrets, { signing: SECOND, pairs: `${NEW_PAIR},${OLD_PAIR}` }));
  expect(await deployment.sql('identity', 'select distinct key_id from admin_totp')).toEqual([{ key_id: 'k2' }]);
  await rollOut(() => void Object.assign(secrets, { trusted: second, pairs: NEW_PAIR }));
  data(await system.request('POST', 'api/admin/auth/login', { body: { email, password, code: code(30) } }));
});

test('database passwords are rotated by switching each service to its second login', async () => {
  const { databaseUrl, run } = infra();
  const services = [...databases.keys()];
  // As in provision.sh.
  for (const name of services) {
    const [role, login] = [`${run}_${name}_service`, `${run}_${name}_service_b`];
    await sql(databaseUrl, `create role ${login} login password 'second'`);
    await sql(databaseUrl, `grant ${role} to ${login}`);
    await sql(databaseUrl, `alter role ${login} set role to ${role}`);
  }
  const login = (text: string) => {
    const url = new URL(text);
    return Object.assign(url, { username: `${url.username}_b`, password: 'second' }).href;
  };
  await rollOut(() => void Object.assign(secrets, { login }), services);
  const users = await sql(
    databaseUrl,
    `select count(*)::int as old from pg_stat_activity where usename = any($1) and datname like $2`,
    [services.map((name) => `${run}_${name}_service`), `${run}\\_%`],
  );
  expect(users).toEqual([{ old: 0 }]);
});

test('passwords of NATS are rotated by restarting the server and then all processes', async () => {
  await rollOut(async () => {
    await nats.stop();
    secrets.nats = natsPasswords(USERS);
    await runNats();
  });
});

test('no confirmed write is lost or duplicated', () => checkNothingIsLost(deployment, traffic));
