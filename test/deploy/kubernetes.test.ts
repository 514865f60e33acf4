import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/config';
import { parse, parseAllDocuments } from 'yaml';
import { hasKubectl, OVERLAYS, render, type Overlay } from './overlay.ts';
import { callersOf, NAMES, PROCESSES, root, strangers, text } from './processes.ts';

const FOLDER = join(root, 'deploy/kubernetes');
const SERVICES = NAMES.filter((name) => name !== 'gateway');
const files = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith('.yaml')).sort();

describe('the files of deploy/kubernetes', () => {
  test.each(files)('%s parses', async (file) => {
    const documents = parseAllDocuments(await text(`deploy/kubernetes/${file}`));
    expect(documents.flatMap((document) => [...document.errors, ...document.warnings])).toEqual([]);
    expect(documents.length).toBeGreaterThan(0);
  });

  test.each(files.filter((file) => file.endsWith('kustomization.yaml')))('%s refers to what exists', async (file) => {
    const folder = dirname(join(FOLDER, file));
    const { resources = [], components = [] } = parse(await text(`deploy/kubernetes/${file}`));
    const isThere = (path: string) => {
      const target = join(folder, path);
      return existsSync(target) && (statSync(target).isFile() || existsSync(join(target, 'kustomization.yaml')));
    };
    expect([...resources, ...components].filter((path: string) => !isThere(path))).toEqual([]);
  });
});

const describeRendered = (name: (typeof OVERLAYS)[number]) => {
  let overlay: Overlay;
  beforeAll(async () => {
    overlay = await render(name);
  });

  test('has every object of every process, and no other', () => {
    const kinds = (kind: Parameters<Overlay['all']>[0]) =>
      overlay.all(kind).map((object) => object.metadata.name.replace(/-[a-z0-9]{10}$/, ''));
    const everyProcess = [...NAMES].sort();
    for (const kind of [
      'Deployment',
      'Service',
      'ServiceAccount',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
    ] as const)
      expect(kinds(kind).sort()).toEqual(everyProcess);
    expect(kinds('ConfigMap').sort()).toEqual([...everyProcess, 'common'].sort());
    expect(kinds('NetworkPolicy').sort()).toEqual([...everyProcess, 'closed'].sort());
    expect(kinds('Job').sort()).toEqual(SERVICES.map((service) => `migrate-${service}`).sort());
    expect(new Set(overlay.objects.map(({ metadata }) => metadata.namespace)).size).toBeLessThanOrEqual(2);
  });

  test.each(NAMES)('%s starts with the environment that its manifests give it', (process) => {
    const environment = overlay.environment(overlay.one('Deployment', process));
    expect(strangers(process, Object.keys(environment))).toEqual([]);
    expect(environment).not.toHaveProperty('MIGRATION_DATABASE_URL');
    // example.com stands for the operator's own domain, which production insists on.
    const own = Object.entries(environment).map(([key, value]) => [
      key,
      value.replaceAll('example.com', 'school.test'),
    ]);
    expect(parseConfig(PROCESSES[process], Object.fromEntries(own))).toMatchObject({
      NODE_ENV: name,
      PORT: 8080,
      METRICS_PORT: 9090,
    });
  });

  test.each(SERVICES)('the migration of %s runs as the owner, with the image of its replicas', (service) => {
    const job = overlay.one('Job', `migrate-${service}`);
    const deployment = overlay.one('Deployment', service);
    const serving = overlay.environment(deployment);
    const [container] = job.spec.template.spec.containers;
    expect(overlay.environment(job)).toEqual({
      ...serving,
      MIGRATION_DATABASE_URL: expect.stringMatching(new RegExp(`^postgres://${service}_owner:.+/${service}$`)),
    });
    expect(serving['DATABASE_URL']).toMatch(new RegExp(`^postgres://${service}_service:.+/${service}$`));
    expect(container.args).toEqual(['migrate']);
    expect(container.image).toBe(deployment.spec.template.spec.containers[0].image);
    // The Service and the budget count serving pods alone.
    expect(job.spec.template.metadata.labels).not.toMatchObject(overlay.one('Service', service).spec.selector);
  });

  test.each(NAMES)('%s: addresses, ports and probes agree', (process) => {
    const { template, selector } = overlay.one('Deployment', process).spec;
    const [container] = template.spec.containers;
    const ports = Object.fromEntries((container.ports ?? []).map((port) => [port.name, port.containerPort]));
    expect(ports).toEqual({ http: 8080, metrics: 9090 });
    expect(template.metadata.annotations).toMatchObject({ 'prometheus.io/port': '9090' });
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    expect(probes.map((probe) => probe?.httpGet)).toEqual([
      { path: '/livez', port: 'http' },
      { path: '/livez', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    expect(container.image).toMatch(new RegExp(`(^|/)tutoring/${process}:[\\w.-]+$`));
    expect(template.metadata.labels).toMatchObject(selector.matchLabels ?? { selector: 'missing' });
    const service = overlay.one('Service', process).spec;
    expect(template.metadata.labels).toMatchObject(service.selector);
    expect(service.ports).toEqual([{ name: 'http', port: 8080, targetPort: 'http' }]);
    expect(overlay.one('HorizontalPodAutoscaler', process).spec.scaleTargetRef.name).toBe(process);
    expect(overlay.one('PodDisruptionBudget', process).spec.selector).toEqual(selector);
    expect(template.spec.serviceAccountName).toBe(process);
    for (const { labelSelector } of template.spec.topologySpreadConstraints ?? [])
      expect(labelSelector).toEqual(selector);
  });

  test.each(NAMES)('%s has the time that it needs to stop', (process) => {
    const { terminationGracePeriodSeconds } = overlay.one('Deployment', process).spec.template.spec;
    const delay = Number(overlay.environment(overlay.one('Deployment', process))['SHUTDOWN_DELAY_MS']);
    expect(delay).toBeGreaterThan(0);
    // 25 s is what a process takes at most (shared/src/process.ts), the delay included.
    expect(delay).toBeLessThan(20_000);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(25);
  });

  test.each(SERVICES)('only those who call %s may reach it', (service) => {
    const { podSelector, ingress = [] } = overlay.one('NetworkPolicy', service).spec;
    expect(podSelector).toEqual(overlay.one('Deployment', service).spec.selector);
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

  test('the labels by which deploy.sh selects reach every object once', () => {
    for (const { kind, metadata } of overlay.objects) {
      expect(metadata.labels['app.kubernetes.io/part-of']).toBe('tutoring');
      const component = metadata.labels['app.kubernetes.io/component'];
      expect(['configuration', 'migration', 'serve']).toContain(component);
      expect(component === 'migration').toBe(kind === 'Job');
      if (component !== 'configuration') expect(NAMES).toContain(metadata.labels['app.kubernetes.io/name']);
      // A Job starts before the replicas and needs these.
      if (kind === 'ServiceAccount' || kind === 'ConfigMap') expect(component).toBe('configuration');
    }
  });
};

if (hasKubectl) describe.each(OVERLAYS)('the overlay %s, rendered', describeRendered);
else
  test('kubectl is not installed here: the overlays are checked as files alone', () => expect(hasKubectl).toBe(false));
