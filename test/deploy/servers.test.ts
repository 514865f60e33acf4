import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { RELAY_POOL } from '@tutoring/shared/kit/service';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '@tutoring/shared/contract/settings';
import { chart } from './installation.ts';
import type { Peer } from './manifest.ts';
import { NAMES, PROCESSES, text } from './processes.ts';

/* The configuration of PostgreSQL, NATS and the ingress. */

const SERVICES = NAMES.filter((name) => name !== 'gateway');

/** The objects in a file of deploy/kubernetes. */
const objectsOf = async <Object>(file: string) =>
  parseAllDocuments(await text(`deploy/kubernetes/${file}`)).map((document) => document.toJS() as Object);

/** Connections that PostgreSQL reserves for superusers by default. */
const RESERVED = 3;

/** Maximum number of connections of all services: pools of replicas, the leading relays, and migrations. */
function connectionsOf(replicas: number): number {
  const pools = SERVICES.map((name) => Number(PROCESSES[name].shape.DATABASE_POOL.parse(undefined)));
  return pools.reduce((sum, pool) => sum + replicas * (pool + 1) + RELAY_POOL - 1 + 1, RESERVED);
}

test('PostgreSQL accepts the connections of the maximum of replicas and of one more during a rollout', async () => {
  const limits = async (file: string) => Number(/max_connections(?:: '|=)(\d+)/.exec(await text(file))![1]);
  const scalers = (await chart('production')).flatMap((object) =>
    object.kind === 'HorizontalPodAutoscaler' && object.metadata.name !== 'gateway' ? [object.spec.maxReplicas] : [],
  );
  expect(scalers).toHaveLength(SERVICES.length);
  const production = await limits('deploy/kubernetes/operators/postgres.yaml');
  expect(production).toBeGreaterThanOrEqual(connectionsOf(Math.max(...scalers) + 1));
  for (const file of ['docker-compose.yml', 'deploy/kubernetes/first-look/servers.yaml'])
    expect(await limits(file)).toBeGreaterThanOrEqual(connectionsOf(2 + 1));
});

test('the ingress accepts the largest file that the settings allow, without buffering it', async () => {
  const ingress = (await chart('production')).find(({ kind }) => kind === 'Ingress')!;
  const nginx = (name: string) => ingress.metadata.annotations![`nginx.ingress.kubernetes.io/${name}`];
  expect(nginx('proxy-body-size')).toBe(`${SETTINGS.file_max_mb.max + 1}m`);
  expect(nginx('proxy-request-buffering')).toBe('off');
});

describe('a NATS server that cannot write a stream', () => {
  const responses: Record<string, string> = {
    well: '{"status":"ok"}',
    broken: `{"status":"unavailable","error":"JetStream stream 'T > events' write error: no space left on device"}`,
    behind: `{"status":"unavailable","error":"JetStream stream 'T > events' is not current"}`,
    disabled: '{"status":"unavailable","error":"JetStream not enabled (10076)"}',
    silent: '',
  };
  /** The exit status of a check for each response, with fake commands. */
  const verdicts = (check: string) =>
    Object.entries(responses).map(([name, response]) => {
      const script = `
        kill() { exit 137; }
        nc() { cat >/dev/null; printf %s "$SAID"; }
        wget() { case "$SAID" in *'not enabled'* | '') return 1 ;; esac; }
        ${check}`;
      return [name, spawnSync('sh', ['-c', script], { env: { ...process.env, SAID: response } }).status];
    });

  test('is restarted by Kubernetes; a server that only lags is not', async () => {
    const { container } = parse(await text('deploy/kubernetes/operators/nats-values.yaml')) as {
      container: { patch: [{ value: { exec: { command: [string, string, string] } } }] };
    };
    const { command } = container.patch[0].value.exec;
    expect(verdicts(command[2])).toEqual(Object.entries({ well: 0, broken: 1, behind: 0, disabled: 1, silent: 1 }));
  });

  test('is killed by the health check of docker compose, and so restarted', async () => {
    const { services } = parse(await text('docker-compose.yml'), { merge: true }) as {
      services: { nats: { restart: string; healthcheck: { test: [string, string] } } };
    };
    expect(services.nats.restart).toBe('unless-stopped');
    const check = services.nats.healthcheck.test[1].replaceAll('$$', '$');
    expect(verdicts(check)).toEqual(Object.entries({ well: 0, broken: 137, behind: 1, disabled: 1, silent: 1 }));
  });

  test('has time to read its store at startup', async () => {
    const objects = await objectsOf<{
      kind: string;
      metadata: { name: string };
      spec: {
        template: { spec: { containers: [{ startupProbe?: { periodSeconds: number; failureThreshold: number } }] } };
      };
    }>('first-look/servers.yaml');
    const nats = objects.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'nats')!;
    const { periodSeconds = 0, failureThreshold = 0 } = nats.spec.template.spec.containers[0].startupProbe ?? {};
    // Reading 2 GiB at 10 MB/s takes about 200 seconds.
    expect(periodSeconds * failureThreshold).toBeGreaterThan(200);
  });
});

describe('the pods of PostgreSQL', () => {
  test('can be reached by services, migrations, their operator, the monitoring and each other', async () => {
    const objects = await objectsOf<{ kind: string; spec: Record<string, unknown> }>('operators/postgres.yaml');
    const { podSelector, policyTypes, ingress } = objects.find(({ kind }) => kind === 'NetworkPolicy')!.spec as {
      podSelector: unknown;
      policyTypes: string[];
      ingress: { from: Peer[] }[];
    };
    expect(podSelector).toEqual({ matchLabels: { 'cnpg.io/cluster': 'postgres' } });
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const [services, ...others] = ingress.flatMap(({ from }) => from);
    const required = 'podSelector' in services! ? services.podSelector.matchExpressions! : [];
    expect(Object.fromEntries(required.map(({ key, values }) => [key.split('/')[1], [...values].sort()]))).toEqual({
      'part-of': ['tutoring'],
      component: ['migration', 'serve'],
      name: [...SERVICES].sort(),
    });
    expect(others).toEqual([
      { podSelector: { matchLabels: { 'cnpg.io/cluster': 'postgres' } } },
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'cnpg-system' } } },
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]);
  });
});
