import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICES, type ServiceName } from '@tutoring/shared/events/catalogue';
import { commands, type ProcessName } from '@tutoring/shared/internal/catalogue';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { calls } from '../../services/calls/src/app.ts';
import { CALLS_ENV } from '../../services/calls/test/scene.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { NAMESPACE } from '../../services/messaging/test/kit.ts';
import { startWallet } from '../../services/wallet/test/wallet.ts';

/* The list of who may send which command, held against the sources and against the running services. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const PROCESSES: ProcessName[] = ['gateway', ...SERVICES];
const shapeOf = (path: string) => path.replaceAll(/\$?\{[^}]*\}/g, '{}');

async function pathsIn(name: ProcessName) {
  const folder = join(root, name === 'gateway' ? 'gateway/src' : `services/${name}/src`);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const found = texts.flatMap((text) => [
    ...text.replaceAll(/^ *(\/\/|\*).*/gm, '').matchAll(/(path: )?['`](\/internal\/[^'`]+)['`]/g),
  ]);
  const shapes = (isDeclared: boolean) =>
    found.filter(([, declared]) => (declared !== undefined) === isDeclared).map(([, , path]) => shapeOf(path!));
  return { declared: shapes(true), asked: shapes(false) };
}

test.each(PROCESSES)('%s declares and asks what the list says', async (name) => {
  const { declared, asked } = await pathsIn(name);
  const listed = Object.values(commands);
  expect(declared.sort()).toEqual(
    listed
      .filter(({ owner }) => owner === name)
      .map(({ path }) => shapeOf(path))
      .sort(),
  );
  const mayAsk = listed.filter(({ callers }) => callers.includes(name)).map(({ path }) => shapeOf(path));
  expect(asked.filter((path) => !mayAsk.includes(path))).toEqual([]);
});

describe('who is not in the list is refused', () => {
  const services = new Map<ServiceName, TestService>();
  let identity: TestIdentity;
  beforeAll(async () => {
    identity = await startIdentity();
    services.set('wallet', (await startWallet()).service);
    services.set('calls', await startTestService(calls, { env: CALLS_ENV }));
    const env = { ROOM_NAMESPACE: NAMESPACE, MAILBOX_FILE: '/dev/null' };
    services.set('messaging', await startTestService(messaging, { env }));
  });
  afterAll(async () => {
    await identity.end();
    await Promise.all([...services.values()].map((service) => service.stop()));
  });

  test.each(Object.entries(commands))('%s', async (_name, { owner, method, path, callers }) => {
    const { api } = services.get(owner) ?? identity;
    const uuid = '0f3c7f3e-9a53-4d59-8a51-2f6c6f7d1b11';
    const target = path.replace('{uuid}', uuid).replaceAll(/\{\w+\}/g, '1');
    const statusFor = async (client: ReturnType<typeof api.as>) =>
      (await (method === 'get' ? client.get(target) : client[method](target, {}))).status;
    for (const name of PROCESSES) {
      const status = await statusFor(api.service(name));
      if (callers.includes(name)) expect([401, 403]).not.toContain(status);
      else expect([name, status]).toEqual([name, 403]);
    }
    for (const person of [api.student(1), api.teacher(1), api.admin('su')]) expect(await statusFor(person)).toBe(403);
    expect(await statusFor(api.anonymous)).toBe(401);
  });
});
