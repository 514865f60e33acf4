import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { root, text } from './processes.ts';
import { kubectl } from './tools.ts';

/* Backup and restore on Kubernetes. For compose see test/cluster/compose-backup.ts. */

const run = promisify(execFile);
const OPERATORS = 'deploy/kubernetes/operators';

interface Restored {
  kind: string;
  spec: {
    bootstrap: { recovery: { source: string } };
    externalClusters: { name: string; plugin: { parameters: Record<string, string> } }[];
    plugins: { parameters: Record<string, string> }[];
  };
}

test('deleted files are kept longer than the period to which databases can be restored', async () => {
  const store = parse(await text(`${OPERATORS}/postgres-backup.yaml`)) as { spec: { retentionPolicy: string } };
  const lifecycle = JSON.parse(await text(`${OPERATORS}/files-lifecycle.json`)) as {
    Rules: { NoncurrentVersionExpiration: { NoncurrentDays: number } }[];
  };
  const days = Number(/^(\d+)d$/.exec(store.spec.retentionPolicy)?.[1]);
  expect(lifecycle.Rules[0]!.NoncurrentVersionExpiration.NoncurrentDays).toBeGreaterThanOrEqual(days + 7);
});

test('a restored cluster reads its old backups and writes new ones under another name', async () => {
  const restored = await kubectl(['kustomize', 'deploy/kubernetes/restore']);
  const objects = parseAllDocuments(restored).map((document) => document.toJS() as Restored);
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'Cluster',
    'NetworkPolicy',
    'ObjectStore',
    'ScheduledBackup',
  ]);
  const { spec } = objects.find(({ kind }) => kind === 'Cluster')!;
  const [source] = spec.externalClusters;
  expect(source!.name).toBe(spec.bootstrap.recovery.source);
  const [writes, reads] = [spec.plugins[0]!.parameters, source!.plugin.parameters];
  expect(writes['barmanObjectName']).toBe(reads['barmanObjectName']);
  // Without `serverName` backups have the name of the cluster.
  expect([reads['serverName'], writes['serverName'] === reads['serverName']]).toEqual(['postgres', false]);
});

test('the documented steps of a restore are in an order in which no row refers to a missing file', async () => {
  const [, steps = ''] = /\*\*Restore all four to the same moment\*\*[^]*?\n\n([^]*?)\n###/.exec(
    await text('docs/operations.md'),
  )!;
  const order = ['--replicas=0', 'deploy/kubernetes/restore', 'restore/main.ts', 'nats stream rm', '--replicas=2'];
  expect(order.map((step) => steps.indexOf(step)).every((at) => at !== -1)).toBe(true);
  expect(order.toSorted((a, b) => steps.indexOf(a) - steps.indexOf(b))).toEqual(order);
});

const marker = (key: string, version: string, at: string) =>
  `<DeleteMarker><Key>${key}</Key><VersionId>${version}</VersionId><IsLatest>true</IsLatest><LastModified>${at}</LastModified></DeleteMarker>`;
const page = (markers: string, next?: string) =>
  `<?xml version="1.0"?><ListVersionsResult><IsTruncated>${next !== undefined}</IsTruncated>${
    next ? `<NextKeyMarker>${next}</NextKeyMarker><NextVersionIdMarker>v</NextVersionIdMarker>` : ''
  }<Version><Key>files/kept</Key><VersionId>v0</VersionId></Version>${markers}</ListVersionsResult>`;

test('files that were deleted after the given time are restored from all pages of the bucket', async () => {
  const removed: string[] = [];
  const store = createServer((req, res) => {
    const { searchParams, pathname } = new URL(req.url!, 'http://store');
    if (req.method === 'DELETE') removed.push(`${pathname} ${searchParams.get('versionId')}`);
    const [first, second] = [
      marker('files/before', 'v1', '2026-01-31T11:00:00Z') + marker('files/after', 'v2', '2026-01-31T13:00:00Z'),
      marker('files/later', 'v3', '2026-02-02T00:00:00Z'),
    ];
    res.writeHead(req.method === 'DELETE' ? 204 : 200, { 'content-type': 'application/xml' });
    res.end(
      req.method === 'DELETE' ? undefined : searchParams.has('key-marker') ? page(second) : page(first, 'files/after'),
    );
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  const endpoint = encodeURIComponent(`http://127.0.0.1:${(store.address() as AddressInfo).port}`);
  const env = {
    FILES_URL: `s3://bucket?region=eu-west-3&path_style=1&endpoint=${endpoint}`,
    FILES_ACCESS_KEY_ID: 'id',
    FILES_SECRET_ACCESS_KEY: 'secret',
  };
  const { stdout } = await run(process.execPath, ['deploy/kubernetes/restore/main.ts', '2026-01-31T12:00:00Z'], {
    cwd: root,
    env,
  });
  expect([stdout, removed]).toEqual(['2 files brought back\n', ['/bucket/files/after v2', '/bucket/files/later v3']]);
  await new Promise((resolve) => store.close(resolve));
});
