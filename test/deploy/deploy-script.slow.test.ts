import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { root } from './processes.ts';
import { pathOf } from './tools.ts';

/*
 * deploy.sh with the real helm and a fake kubectl. `answers` are lists of a regular expression for the command line and
 * outputs of kubectl; the first match wins. `!text` prints the text and fails. Each output is used once, the last one
 * repeatedly.
 */

const helmPath = await pathOf('helm');

type Answers = [command: string, ...prints: string[]][];

const KUBECTL = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const folder = process.env.STAGE;
const command = process.argv.slice(2).filter((word) => word !== '-n' && word !== 'school').join(' ');
const input = / -f - /.test(command) ? readFileSync(0, 'utf8') : '';
appendFileSync(folder + '/calls', JSON.stringify({ command, input }) + '\\n');
const answers = JSON.parse(readFileSync(folder + '/answers', 'utf8'));
const index = answers.findIndex(([pattern]) => new RegExp(pattern).test(command));
if (index >= 0) {
  const [, ...prints] = answers[index];
  const counter = folder + '/asked-' + index;
  const asked = existsSync(counter) ? Number(readFileSync(counter, 'utf8')) : 0;
  writeFileSync(counter, String(asked + 1));
  const print = prints[Math.min(asked, prints.length - 1)];
  if (print.startsWith('!')) {
    console.error(print.slice(1));
    process.exit(1);
  }
  process.stdout.write(print);
}
`;

let stage: string;
beforeEach(async () => {
  stage = await mkdtemp(join(tmpdir(), 'deploy-'));
  await writeFile(join(stage, 'kubectl.mjs'), KUBECTL);
  const programs = {
    kubectl: `exec "${process.execPath}" "${stage}/kubectl.mjs" "$@"`,
    helm: `exec "${helmPath}" "$@"`,
    // Each call is two minutes later.
    date: `now=$(($(cat "${stage}/now" 2>/dev/null || echo 0) + 120)) && echo $now >"${stage}/now" && echo $now`,
    sleep: ':',
  };
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(stage, name), `#!/bin/sh\n${line}\n`);
    await chmod(join(stage, name), 0o755);
  }
});
afterEach(() => rm(stage, { recursive: true }));

/** A cluster in which everything succeeds. */
const healthy: Answers = [
  ['^get secret common wallet', 'common{"TRUSTED_KEYS":"bmF0cw=="}wallet{"DATABASE_URL":"cGc="}'],
  ['^get secret', 'common{}'],
  ['^get deployment \\w+ --ignore-not-found', '2'],
  ['^get deployment .*availableReplicas', '2'],
  ['^get deployment .*revision', '7'],
  ['^get replicasets -l .*revision', '6 pod-template-hash=old\n7 pod-template-hash=new\n'],
  ['^get job ', '', 'SuccessCriteriaMet Complete'],
];

const SCRIPT = join(root, 'deploy/kubernetes/deploy.sh');
const VALUES = join(root, 'deploy/helm/values-production.yaml');

/** Runs deploy.sh; `answers` take precedence over those of the healthy cluster. */
async function deploy(args: string[], answers: Answers = []) {
  await writeFile(join(stage, 'answers'), JSON.stringify([...answers, ...healthy]));
  const env = { PATH: `${stage}${delimiter}${process.env['PATH']}`, STAGE: stage, NAMESPACE: 'school' };
  const run = spawnSync(SCRIPT, args, { env, encoding: 'utf8', timeout: 300_000 });
  const lines = await readFile(join(stage, 'calls'), 'utf8').catch(() => '');
  const calls = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { command: string; input: string });
  const changes = calls.filter(({ command }) => /^(apply|delete|rollout undo|scale)/.test(command));
  return { status: run.status, says: run.stderr, prints: run.stdout, calls, changes };
}

const deployWallet = (answers: Answers = []) => deploy([VALUES, 'wallet'], answers);

describe('deploying', () => {
  test('applies the configuration, migrates, and replaces the replicas', async () => {
    const { status, changes } = await deployWallet();
    expect(status).toBe(0);
    const common = 'apply -f - -l app.kubernetes.io/part-of=tutoring,app.kubernetes.io';
    expect(changes.map(({ command }) => command)).toEqual([
      `${common}/component=configuration`,
      'delete job migrate-wallet-1 --ignore-not-found --wait',
      `${common}/name=wallet,app.kubernetes.io/component=migration`,
      `${common}/name=wallet,app.kubernetes.io/component=serve`,
    ]);
  });

  test('deploys all services, the gateway last and without a migration', async () => {
    const { status, changes } = await deploy([VALUES]);
    expect(status).toBe(0);
    const served = changes.flatMap(({ command }) => /name=(\w+),.*=serve/.exec(command)?.[1] ?? []);
    expect(served).toEqual(['identity', 'wallet', 'messaging', 'calls', 'gateway']);
    expect(changes.some(({ command }) => command.includes('migrate-gateway'))).toBe(false);
  });

  test('a changed Secret changes the pods', async () => {
    const checksumOf = async (answers: Answers) => {
      const { changes } = await deployWallet(answers);
      return /checksum\/secrets: '(.+)'/.exec(changes.findLast(({ input }) => input !== '')!.input)?.[1];
    };
    const before = await checksumOf([]);
    expect(before).toMatch(/^[0-9a-f]{32}$/);
    expect(await checksumOf([])).toBe(before);
    expect(await checksumOf([['^get secret', 'common{}wallet{"DATABASE_URL":"b3RoZXI="}']])).not.toBe(before);
  });

  test('after a failed migration it prints the log and events and does not touch the replicas', async () => {
    const { status, says, changes } = await deployWallet([
      ['^get job ', '', 'FailureTarget Failed'],
      ['^get pods', '', 'migrate-wallet-x1'],
      ['^logs migrate-wallet-x1', 'relation "posting" does not exist'],
      ['^get events .*=migrate-wallet-x1', 'Started container migrate'],
      ['^get events .*=migrate-wallet-1$', 'BackoffLimitExceeded'],
    ]);
    expect(status).toBe(1);
    expect(says).toContain('relation "posting" does not exist');
    expect(says).toContain('Started container migrate');
    expect(says).toContain('BackoffLimitExceeded');
    expect(says).toContain('the migration of wallet did not succeed (failed)');
    expect(changes.some(({ command }) => command.includes('component=serve'))).toBe(false);
  });

  test.each(['CreateContainerConfigError:0', 'ImagePullBackOff:0', 'InvalidImageName:0'])(
    'does not wait for a migration that cannot start (%s)',
    async (reason) => {
      const { status, says } = await deployWallet([
        ['^get job ', ''],
        ['^get pods .*waiting', 'migrate-wallet-x1 :0\n', `migrate-wallet-x1 ${reason}\n`],
        ['^get pods', 'migrate-wallet-x1'],
        ['^get events .*=migrate-wallet-x1', 'secret "wallet-migration" not found'],
      ]);
      expect(status).toBe(1);
      expect(says).toContain(`(migrate-wallet-x1 ${reason})`);
      expect(says).toContain('secret "wallet-migration" not found');
    },
  );

  test('when new replicas do not start it prints their log and events, and how to roll back', async () => {
    const { status, says, calls } = await deployWallet([
      ['^rollout status', '!timed out waiting for the condition'],
      ['^get pods .*waiting', 'wallet-new-1 CrashLoopBackOff:1\n', 'wallet-new-1 CrashLoopBackOff:3\n'],
      ['^get pods', 'wallet-new-1'],
      ['^logs wallet-new-1', 'STRIPE_SECRET_KEY: is required in production'],
    ]);
    expect(status).toBe(1);
    expect(says).toContain('STRIPE_SECRET_KEY: is required in production');
    expect(says).toContain(`deploy.sh --rollback ${VALUES} wallet`);
    // Problems of the old replicas do not count: the deployment may fix them.
    const asked = calls.filter(({ command }) => command.includes('waiting') && command.includes('=serve'));
    expect(asked.map(({ command }) => command.split(' ')[3])).toEqual(
      asked.map(() => 'app.kubernetes.io/name=wallet,app.kubernetes.io/component=serve,pod-template-hash=new'),
    );
  });

  test('the wait for new replicas ends after ten minutes, however many polls that takes', async () => {
    const never: Answers = [['^rollout status', '!timed out waiting for the condition']];
    const { status, says, calls } = await deployWallet(never);
    expect(status).toBe(1);
    expect(says).toContain('the new replicas of wallet do not start (not ready after 10 minutes)');
    expect(calls.filter(({ command }) => command.startsWith('rollout status'))).toHaveLength(5);
  });

  test('a short outage of the control plane does not end a wait', async () => {
    const away = '!The connection to the server was refused';
    const { status, changes } = await deployWallet([
      ['^get job ', away, '', away, 'SuccessCriteriaMet Complete'],
      ['^rollout status', away, away, 'successfully rolled out'],
      ['^get pods', away, ''],
      ['^get deployment .*revision', away, '7'],
      ['^get deployment .*availableReplicas', away, '2'],
    ]);
    expect(status).toBe(0);
    expect(changes.at(-1)?.command).toContain('name=wallet,app.kubernetes.io/component=serve');
  });

  test('a missing Secret stops the deployment before anything changes', async () => {
    const { status, says, changes } = await deploy([VALUES], [['^get secret common calls', '!not found']]);
    expect([status, changes]).toEqual([1, []]);
    expect(says).toContain('calls needs the Secrets common and calls in the namespace school');
  });

  test('a Deployment that was scaled to 0 is refused before anything changes', async () => {
    const { status, says, changes } = await deploy([VALUES], [['^get deployment calls --ignore', '0']]);
    expect([status, changes]).toEqual([1, []]);
    expect(says).toContain('kubectl -n school scale deployment calls --replicas=2');
  });

  test('a rollout that ends without a replica is a failure', async () => {
    const { status, says } = await deploy([VALUES, 'gateway'], [['^get deployment .*availableReplicas', '']]);
    expect(status).toBe(1);
    expect(says).toContain('gateway has no replica');
  });
});

test('--diff changes nothing; its exit code shows whether something would change', async () => {
  const same = await deploy(['--diff', VALUES, 'wallet']);
  expect([same.status, same.changes]).toEqual([0, []]);
  const different = await deploy(['--diff', VALUES, 'wallet'], [['^diff .*name=wallet', '!+ image: wallet:2']]);
  expect([different.status, different.changes]).toEqual([1, []]);
  expect(different.calls.some(({ command }) => command.includes('=migration'))).toBe(false);
});

test('values that Helm refuses stop the deployment before anything changes', async () => {
  const wrong = join(stage, 'wrong.yaml');
  await writeFile(wrong, 'replicas: 3\n');
  const { status, says, changes } = await deploy([wrong]);
  expect([status, changes]).toEqual([1, []]);
  expect(says).toContain("additional properties 'replicas' not allowed");
});

describe('--rollback', () => {
  test('restores the previous replicas', async () => {
    const { status, changes, prints } = await deploy(['--rollback', VALUES, 'wallet']);
    expect(status).toBe(0);
    expect(changes.map(({ command }) => command)).toEqual(['rollout undo deployment/wallet']);
    expect(prints).toContain(`restore the old version in ${VALUES}`);
  });

  test('says so when the previous replicas do not start either', async () => {
    const { status, says } = await deploy(
      ['--rollback', VALUES, 'wallet'],
      [
        ['^rollout status', '!timed out waiting for the condition'],
        ['^get pods .*waiting', 'wallet-old-1 ImagePullBackOff:0'],
        ['^get pods', 'wallet-old-1'],
        ['^get events .*=wallet-old-1', 'wallet:1 not found'],
      ],
    );
    expect(status).toBe(1);
    expect(says).toContain('wallet:1 not found');
    expect(says).toContain('the new replicas of wallet do not start (wallet-old-1 ImagePullBackOff:0)');
  });

  test('requires the name of a service', async () => {
    const { status, says, changes } = await deploy(['--rollback', VALUES]);
    expect([status, changes]).toEqual([2, []]);
    expect(says).toContain('say which services');
  });
});

test.each([[[]], [['--unknown', 'values.yaml']]])('prints its usage when called with %j', async (args) => {
  const { status, says } = await deploy(args);
  expect(status).toBe(2);
  expect(says).toContain('usage: deploy.sh [--diff | --rollback] <values file> [service...]');
});
