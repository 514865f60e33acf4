import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commands, type CommandName } from '@tutoring/shared/contract/commands';
import { PROCESSES, type ProcessName, type ServiceName } from '@tutoring/shared/contract/names';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { calls } from '../../services/calls/src/app.ts';
import { CALLS_ENV } from '../../services/calls/test/scene.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { NAMESPACE } from '../../services/messaging/test/kit.ts';
import { startWallet } from '../../services/wallet/test/wallet.ts';
import { releasedMessages } from '../deploy/released-messages.ts';

/* Compares the callers of each command in the catalogue with the sources and with the running services. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const { commands: previousByName } = await releasedMessages();
const NAMES = Object.keys(commands) as CommandName[];

async function namesIn(name: ProcessName) {
  const folder = join(root, name === 'gateway' ? 'gateway/src' : `services/${name}/src`);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const read = async (file: string) =>
    (await readFile(join(folder, file), 'utf8')).replaceAll(/^ *(\/?\*|\/\/).*/gm, '');
  const texts = await Promise.all(files.map(read));
  const found = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)]).map(([, command]) => command!);
  const declared = found(/\bcommand\(\s*['`]([^'`]+)['`]/g);
  return {
    // The commands of deposits and withdrawals in wallet have one declaration.
    declared: declared.flatMap((command) =>
      command.includes('${noun}') ? ['deposit', 'withdrawal'].map((noun) => command.replace('${noun}', noun)) : command,
    ),
    asked: found(/\.ask\(\s*'([^']+)'/g),
    paths: found(/['`](\/internal\/(?!openapi\.json)[^'`]*)['`]/g),
  };
}

test.each(PROCESSES)('%s declares and sends exactly the commands in the catalogue', async (name) => {
  const { declared, asked, paths } = await namesIn(name);
  expect(declared.sort()).toEqual(NAMES.filter((command) => commands[command].owner === name).sort());
  const mayAsk: string[] = NAMES.filter((command) => commands[command].callers.some((caller) => caller === name));
  expect(asked.filter((command) => !mayAsk.includes(command))).toEqual([]);
  if (mayAsk.length > 0) expect(asked).not.toEqual([]);
  expect(paths).toEqual([]);
});

test.each(PROCESSES)('%s sends only commands that owners of the previous release accept from it', async (name) => {
  const { asked } = await namesIn(name);
  expect(asked.filter((command) => !previousByName[command]?.callers.includes(name))).toEqual([]);
});

describe('running services', () => {
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

  test.each(Object.entries(commands))(
    'callers that are not listed for %s are refused',
    async (_name, { owner, method, path, callers }) => {
      const { api } = services.get(owner) ?? identity;
      const uuid = '0f3c7f3e-9a53-4d59-8a51-2f6c6f7d1b11';
      const target = path.replace('{uuid}', uuid).replaceAll(/\{\w+\}/g, '1');
      const statusFor = async (client: ReturnType<typeof api.as>) =>
        (await (method === 'get' ? client.get(target) : client[method](target, {}))).status;
      for (const name of PROCESSES) {
        const status = await statusFor(api.service(name));
        if (callers.some((caller) => caller === name)) expect([401, 403]).not.toContain(status);
        else expect([name, status]).toEqual([name, 403]);
      }
      for (const person of [api.student(1), api.teacher(1), api.admin('su')]) expect(await statusFor(person)).toBe(403);
      expect(await statusFor(api.anonymous)).toBe(401);
    },
  );

  test.each(Object.entries(previousByName))(
    'requests of the previous release are accepted: %s',
    async (name, { exchanges }) => {
      const { owner, method, callers } = commands[name as CommandName];
      const { api } = services.get(owner) ?? identity;
      for (const { request } of exchanges)
        for (const caller of callers) {
          const client = api.service(caller);
          const { target, body } = request;
          const answer = await (method === 'get' ? client.get(target) : client[method](target, body));
          // The people and calls in the samples do not exist in this test.
          const refusals = ['not_found', 'payment_required', ...(owner === 'identity' ? ['unauthenticated'] : [])];
          if (answer.status !== 200) expect(refusals).toContain(answer.body.code);
        }
    },
  );
});
