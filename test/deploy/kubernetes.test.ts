import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig, streamConfig } from '@tutoring/shared/kit/process/config';
import { parseAllDocuments } from 'yaml';
import { INSTALLATIONS, render, type Installation } from './installation.ts';
import type { Peer } from './manifest.ts';
import { callersOf, variablesOf, NAMES, PROCESSES, root, unknownVariables, text } from './processes.ts';

const FOLDER = join(root, 'deploy/kubernetes');
const SERVICES = NAMES.filter((name) => name !== 'gateway');
const files = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith('.yaml')).sort();

test.each(files)('%s parses', async (file) => {
  const documents = parseAllDocuments(await text(`deploy/kubernetes/${file}`));
  expect(documents.flatMap((document) => [...document.errors, ...document.warnings])).toEqual([]);
  expect(documents.length).toBeGreaterThan(0);
});

/** A short name for a peer of a network policy. */
function peerName(peer: Peer): string {
  if ('ipBlock' in peer) return 'outside';
  if ('namespaceSelector' in peer)
    return `namespace ${peer.namespaceSelector.matchLabels?.['kubernetes.io/metadata.name']}`;
  // A second label would select pods that do not exist.
  expect(peer.podSelector.matchLabels).toBeUndefined();
  return peer.podSelector.matchExpressions!.flatMap(({ values }) => [...values].sort()).join();
}

describe.each(INSTALLATIONS)('the chart with the values for %s', (name) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await render(name);
  });

  test('has all objects of each process, and no others', () => {
    const kinds = (kind: Parameters<Installation['all']>[0]) =>
      installation
        .all(kind)
        .filter((object) => object.metadata.labels['app.kubernetes.io/component'] !== 'server')
        .map((object) => object.metadata.name);
    const everyProcess = [...NAMES].sort();
    for (const kind of [
      'Deployment',
      'Service',
      'ServiceAccount',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
    ] as const)
      expect(kinds(kind).sort()).toEqual(everyProcess);
    expect(kinds('ConfigMap')).toEqual([]);
    expect(kinds('NetworkPolicy').sort()).toEqual([...everyProcess, 'closed', 'migrations', 'names'].sort());
    expect(kinds('Job').sort()).toEqual(SERVICES.map((service) => `migrate-${service}-1`).sort());
  });

  test.each(NAMES)('%s starts with the environment in its manifests', (process) => {
    const environment = installation.environment(installation.one('Deployment', process));
    expect(unknownVariables(process, Object.keys(environment))).toEqual([]);
    expect(Object.keys(environment).filter((key) => key.startsWith('MIGRATION_'))).toEqual([]);
    // example.com stands for the operator's own domain, which production requires.
    const own = Object.entries(environment).map(([key, value]) => [
      key,
      value.replaceAll('example.com', 'school.test'),
    ]);
    expect(parseConfig(PROCESSES[process], Object.fromEntries(own))).toMatchObject({
      NODE_ENV: name === 'production' ? 'production' : 'development',
      PORT: 8080,
      METRICS_PORT: 9090,
    });
  });

  test.each(SERVICES)('the migration of %s runs as the owner, with the image of its replicas', (service) => {
    const job = installation.one('Job', `migrate-${service}-1`);
    const deployment = installation.one('Deployment', service);
    const serving = installation.environment(deployment);
    const [container] = job.spec.template.spec.containers;
    expect(installation.environment(job)).toEqual({
      ...serving,
      MIGRATION_DATABASE_URL: expect.stringMatching(
        new RegExp(`^postgres://${service}_owner:.+/${service}(\\?sslmode=verify-full)?$`),
      ),
      ...(service === 'identity' && {
        MIGRATION_NATS_URL: expect.stringMatching(/^nats:\/\/tutoring-operator:.+@nats/),
      }),
    });
    expect(serving['DATABASE_URL']).toMatch(
      new RegExp(`^postgres://${service}_service:.+/${service}(\\?sslmode=verify-full)?$`),
    );
    expect(container.args).toEqual(['migrate']);
    expect(container.image).toBe(deployment.spec.template.spec.containers[0].image);
    // The Service and the disruption budget must select serving pods only.
    expect(job.spec.template.metadata.labels).not.toMatchObject(installation.one('Service', service).spec.selector);
  });

  test.each(NAMES)('the addresses, ports and probes of %s are consistent', (process) => {
    const { template, selector } = installation.one('Deployment', process).spec;
    const [container] = template.spec.containers;
    const ports = Object.fromEntries((container.ports ?? []).map((port) => [port.name, port.containerPort]));
    expect(ports).toEqual({ http: 8080, metrics: 9090 });
    // deploy.sh writes the checksum.
    expect(template.metadata.annotations).toMatchObject({ 'prometheus.io/port': '9090', 'checksum/secrets': 'none' });
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map((probe) => probe?.httpGet)).toEqual([
      { path: '/livez', port: 'http' },
      { path: '/livez', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    // Production names images by digest: a tag can be moved.
    const version = name === 'production' ? '@sha256:[0-9a-f]{64}' : ':latest';
    expect(container.image).toMatch(new RegExp(`(^|/)tutoring/${process}${version}$`));
    expect(template.metadata.labels).toMatchObject(selector.matchLabels ?? { selector: 'missing' });
    const service = installation.one('Service', process).spec;
    expect(template.metadata.labels).toMatchObject(service.selector);
    expect(service.ports).toEqual([{ name: 'http', port: 8080, targetPort: 'http' }]);
    expect(installation.one('HorizontalPodAutoscaler', process).spec.scaleTargetRef.name).toBe(process);
    expect(installation.one('PodDisruptionBudget', process).spec.selector).toEqual(selector);
    expect(template.spec.serviceAccountName).toBe(process);
    for (const { labelSelector } of template.spec.topologySpreadConstraints ?? [])
      expect(labelSelector).toEqual(selector);
  });

  test.each(NAMES)('the autoscaler adds replicas of %s before one core or the memory is used up', (process) => {
    const { limits } = installation.one('Deployment', process).spec.template.spec.containers[0].resources;
    const targets = installation
      .one('HorizontalPodAutoscaler', process)
      .spec.metrics.map(({ resource }) => [resource.name, resource.target.averageValue] as const);
    // Open event streams need memory, but hardly any CPU.
    expect(targets.map(([resource]) => resource)).toEqual(process === 'gateway' ? ['cpu', 'memory'] : ['cpu']);
    const [cpu, memory] = targets.map(([, value]) => Number.parseInt(value, 10));
    expect(cpu).toBeLessThan(1_000);
    if (memory !== undefined) expect(memory).toBeLessThan(0.75 * Number.parseInt(limits.memory, 10));
  });

  test.each(NAMES)('%s has enough time to stop', (process) => {
    const { terminationGracePeriodSeconds } = installation.one('Deployment', process).spec.template.spec;
    const delay = Number(installation.environment(installation.one('Deployment', process))['SHUTDOWN_DELAY_MS']);
    expect(delay).toBeGreaterThan(0);
    // A process takes at most 25 s to stop (shared/kit/process/process.ts), the delay included.
    expect(delay).toBeLessThan(20_000);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(25);
  });

  test.each(SERVICES)('only the callers of %s may reach it', (service) => {
    const { podSelector, ingress = [] } = installation.one('NetworkPolicy', service).spec;
    expect(podSelector).toEqual(installation.one('Deployment', service).spec.selector);
    const [requests, scrapes] = ingress;
    expect(ingress).toHaveLength(2);
    const peers = requests?.from.flatMap((peer) => ('podSelector' in peer ? peer.podSelector.matchExpressions : []));
    expect(peers?.map((peer) => peer && { ...peer, values: [...peer.values].sort() })).toEqual([
      { key: 'app.kubernetes.io/name', operator: 'In', values: callersOf(service).sort() },
    ]);
    expect(requests?.ports).toEqual([{ port: 'http' }]);
    expect(scrapes).toEqual({
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      ports: [{ port: 'metrics' }],
    });
  });

  test.each(NAMES)('%s can connect only to the services and servers that it uses', (process) => {
    const { policyTypes, egress = [] } = installation.one('NetworkPolicy', process).spec;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const destinations = egress.flatMap(({ to, ports }) =>
      to.map((peer) => `${peerName(peer)}:${ports.map(({ port }) => port).join()}`),
    );
    const callees = NAMES.filter((callee) => callersOf(callee).includes(process));
    const outside: Partial<Record<typeof process, string>> = {
      identity: '443,465,587',
      wallet: '443',
      messaging: '443',
    };
    expect(destinations.sort()).toEqual(
      [
        'namespace nats:4222',
        'namespace monitoring:4318',
        `${[...callees].sort().join()}:8080`,
        ...(variablesOf(process).includes('DATABASE_URL') ? ['postgres:5432'] : []),
        ...(variablesOf(process).includes('REDIS_URL') ? ['namespace redis:6379'] : []),
        ...(outside[process] ? [`outside:${outside[process]}`, `outside:${outside[process]}`] : []),
      ].sort(),
    );
  });

  test('all other traffic of pods is blocked, except DNS and migrations', () => {
    expect(installation.one('NetworkPolicy', 'closed').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const { podSelector, egress } = installation.one('NetworkPolicy', 'migrations').spec;
    for (const service of SERVICES)
      expect(installation.one('Job', `migrate-${service}-1`).spec.template.metadata.labels).toMatchObject(
        podSelector.matchLabels!,
      );
    expect(egress?.flatMap(({ to }) => to.map(peerName))).toEqual(['postgres', 'namespace nats']);
  });

  test('each object is matched exactly once by the labels that deploy.sh selects by', () => {
    for (const { kind, metadata } of installation.objects) {
      expect(metadata.labels['app.kubernetes.io/part-of']).toBe('tutoring');
      const component = metadata.labels['app.kubernetes.io/component'];
      if (kind === 'Namespace' || component === 'server') continue;
      expect(['configuration', 'migration', 'serve']).toContain(component);
      expect(component === 'migration').toBe(kind === 'Job');
      if (component !== 'configuration') expect(NAMES).toContain(metadata.labels['app.kubernetes.io/name']);
      // A Job starts before the replicas and needs its account.
      if (kind === 'ServiceAccount') expect(component).toBe('configuration');
    }
  });
});

describe('the servers of the first look', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await render('first-look');
  });
  const servers = ['postgres', 'nats', 'redis'];
  const secret = (name: string) => installation.secrets[name]!;

  test('has the servers of the addresses in its Secrets, reachable for every process', () => {
    const addresses = [secret('wallet')['DATABASE_URL'], secret('wallet')['NATS_URL'], secret('gateway')['REDIS_URL']];
    expect(addresses.map((address) => new URL(address!).hostname)).toEqual(servers);
    const open = installation.one('NetworkPolicy', 'servers').spec;
    const ports = addresses.map((address) => Number(new URL(address!).port));
    for (const [index, name] of servers.entries()) {
      const { template, selector } = installation.one('StatefulSet', name).spec;
      const service = installation.one('Service', name).spec;
      expect(template.metadata.labels).toMatchObject(service.selector);
      expect(template.metadata.labels).toMatchObject(selector.matchLabels!);
      expect(template.metadata.labels).toMatchObject(open.podSelector.matchLabels!);
      expect(service.ports[0]!.port).toBe(ports[index]);
      expect(template.spec.containers[0].ports).toEqual([{ name, containerPort: ports[index] }]);
    }
    expect(open.ingress?.[0]?.ports.map(({ port }) => port)).toEqual(ports);
    expect(installation.one('NetworkPolicy', 'to-servers').spec.egress?.[0]?.ports.map(({ port }) => port)).toEqual(
      ports,
    );
  });

  test('PostgreSQL creates the databases with the passwords of the services', () => {
    const { volumes = [] } = installation.one('StatefulSet', 'postgres').spec.template.spec;
    const script = volumes.find(({ name }) => name === 'provision')!.configMap!;
    // Executable, so that the entrypoint runs it instead of sourcing it.
    expect(script.defaultMode).toBe(0o755);
    expect(installation.one('ConfigMap', script.name).data).toHaveProperty(['provision.sh']);
    const passwords = secret('servers');
    for (const service of SERVICES)
      for (const [name, key, role] of [
        [service, 'DATABASE_URL', 'service'],
        [`${service}-migration`, 'MIGRATION_DATABASE_URL', 'owner'],
      ] as const)
        expect(new URL(secret(name)[key]!).password).toBe(passwords[`${service}_${role}_PASSWORD`.toUpperCase()]);
  });

  test('the streams that the migration creates fit into the store of NATS', async () => {
    const { volumes = [] } = installation.one('StatefulSet', 'nats').spec.template.spec;
    const files = volumes.flatMap(({ configMap }) =>
      configMap ? [installation.one('ConfigMap', configMap.name).data] : [],
    );
    const gigabytes = /max_file_store: (\d+)GB/.exec(files.map((file) => file['nats.conf']).join(''))?.[1];
    const environment = installation.environment(installation.one('Job', 'migrate-identity-1'));
    const { NATS_EVENTS_BYTES, NATS_LIVE_BYTES, NATS_REVOCATIONS_BYTES } = parseConfig(streamConfig, environment);
    expect(NATS_EVENTS_BYTES + NATS_LIVE_BYTES + NATS_REVOCATIONS_BYTES).toBeLessThan(Number(gigabytes) * 1e9);
  });
});
