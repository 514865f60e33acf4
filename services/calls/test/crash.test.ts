import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signedClient } from '@tutoring/shared/testing/client';
import { COMPILE_CACHE } from '@tutoring/shared/testing/compile-cache';
import { testKeys } from '@tutoring/shared/testing/keys';
import { eventually } from '@tutoring/shared/testing/wait';
import { CALLS_ENV, startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  await scene.stop();
});

/** Starts the service as a separate process: a second replica on the scene's database. */
async function startReplica() {
  const { config, signer } = scene.service;
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...CALLS_ENV,
      ...COMPILE_CACHE,
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: config.PUBLIC_URL,
      NATS_URL: config.NATS_URL,
      NATS_PREFIX: config.NATS_PREFIX,
      ...testKeys('calls'),
      IDENTITY_URL: config.IDENTITY_URL,
      WALLET_URL: config.WALLET_URL,
      DATABASE_URL: config.DATABASE_URL,
    },
  });
  const exited = once(child, 'exit');
  let port: number | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as { msg: string; port?: number };
    if (entry.msg === 'listening') port = entry.port;
  });
  const listening = await eventually('the replica listens', () => port);
  return {
    api: signedClient(`http://127.0.0.1:${listening}`, signer),
    kill: () => void child.kill('SIGKILL'),
    exited,
  };
}

test('killed between the charge and its own commit: another replica records the charge, made once', async () => {
  const party = scene.party();
  const { identifier, channel } = await scene.begin(party);
  const replica = await startReplica();
  scene.wallet.after('/internal/charges/batch', replica.kill);
  await expect(replica.api.teacher(party.teacher).post('/api/call/bill', { identifier })).rejects.toThrow();
  await replica.exited;
  expect(scene.wallet.charges(identifier)).toHaveLength(1);
  expect(await scene.row(identifier)).toMatchObject({ steps: 0, steps_due: 1 });

  await scene.resume(identifier);
  await eventually('the step is recorded', async () => (await scene.row(identifier))['steps'] === 1);
  await scene.end('student', party, identifier, channel);
  expect(scene.wallet.charges(identifier)).toHaveLength(1);
  expect([scene.wallet.balance(party.student), scene.wallet.held(party.student)]).toEqual([9_850, 0]);
});

test('killed between the hold and its own commit: the teacher accepts again elsewhere', async () => {
  const party = scene.party();
  await scene.init(party);
  const replica = await startReplica();
  scene.wallet.after('/internal/holds', replica.kill);
  const dying = replica.api.teacher(party.teacher);
  const body = { student_user_id: party.student, call_type: 'video' };
  await expect(dying.post('/api/call/accept', body)).rejects.toThrow();
  await replica.exited;
  expect(scene.wallet.held(party.student)).toBe(150);

  expect((await scene.accept(party)).status).toBe(200);
  expect(scene.wallet.held(party.student)).toBe(150);
});
