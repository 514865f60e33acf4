import { beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService } from '@tutoring/shared/testing/service';
import { parse } from 'yaml';
import { freePort } from '../../deploy/local/servers.ts';
import { messaging } from '../../services/messaging/src/app.ts';
import { wallet } from '../../services/wallet/src/app.ts';
import { SECRETS } from '../journeys/system.ts';
import { NAMES, text } from './processes.ts';

interface Target {
  expr: string;
}
interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const dashboard = JSON.parse(await text('deploy/observability/dashboard.json')) as {
  panels: { title: string; targets?: Target[] }[];
  annotations: { list: Target[] };
};
const alerts = parse(await text('deploy/observability/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
const expressions = [...rules, ...targets, ...dashboard.annotations.list].map(({ expr }) => expr);

/** Metrics of other exporters: Prometheus itself, and the kubelet for volumes. */
const OF_PROMETHEUS = ['up', 'kubelet_volume_stats_available_bytes', 'kubelet_volume_stats_capacity_bytes'];
const KEYWORDS = ['and', 'or', 'unless', 'bool', 'offset'];

/** Names of metrics in a PromQL expression. */
const metricsIn = (expression: string) =>
  [
    ...expression
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
      .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
      .matchAll(/[a-zA-Z_:][\w:]*(?!\w|\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !KEYWORDS.includes(name) && !/^e\d/.test(name));

/** Labels that a PromQL expression matches or groups by. */
const labelsIn = (expression: string) => [
  ...[...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!),
  ...[...expression.matchAll(/\b(?:by|without|on)\s*\(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/)),
];

let exposed: string;
beforeAll(async () => {
  // Wallet exports the common metrics and those of its audit; messaging exports those of deliveries.
  const ports = [await freePort(), await freePort()] as const;
  const env = (port: number) => ({ ...SECRETS, MAILBOX_FILE: '/dev/null', METRICS_PORT: String(port) });
  const services = [
    await startTestService(wallet, { env: env(ports[0]) }),
    await startTestService(messaging, { env: env(ports[1]) }),
  ];
  await services[0]!.api.anonymous.get('/api/wallet');
  const scraped = ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  exposed = (await Promise.all(scraped)).join('');
  for (const service of services) await service.stop();
});

test('the expressions are parsed like in Prometheus', () => {
  expect(metricsIn('sum by (service, le) (rate(a_bucket{x="y"}[5m])) / time() > 330e6 and b != c')).toEqual([
    'a_bucket',
    'b',
    'c',
  ]);
});

test.each([...new Set(expressions)])('all metrics and labels exist in %s', (expression) => {
  const types = new Map([...exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  const isExposed = (name: string) => {
    const base = name.replace(/_(bucket|sum|count)$/, '');
    return types.has(name) ? types.get(name) !== 'histogram' : ['histogram', 'summary'].includes(types.get(base) ?? '');
  };
  const names = metricsIn(expression);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !OF_PROMETHEUS.includes(name) && !isExposed(name))).toEqual([]);
  // Prometheus adds `job`; `event` and `outcome` appear with the first event.
  const existing = new Set([...exposed.matchAll(/(\w+)="/g)].map(([, label]) => label!));
  for (const label of ['job', 'event', 'outcome', 'persistentvolumeclaim']) existing.add(label);
  expect(labelsIn(expression).filter((label) => !existing.has(label))).toEqual([]);
});

test('the Prometheus of compose scrapes every process, with the job name of the alerts', async () => {
  const { scrape_configs: jobs } = parse(await text('deploy/compose/prometheus.yaml'));
  expect(jobs).toMatchObject([
    { job_name: 'tutoring', static_configs: [{ targets: NAMES.map((name) => `${name}:9090`) }] },
  ]);
});

describe('alerts', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s links to an existing section of the runbook',
    async (_name, rule) => {
      const [file, anchor] = rule.annotations.runbook.split('#');
      const headings = [...(await text(file!)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
        heading!
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings).toContain(anchor);
      expect(['page', 'ticket']).toContain(rule.labels.severity);
    },
  );

  test('each health metric is used by an alert', () => {
    const own = [
      'outbox_lag_seconds',
      'consumer_lag',
      'dead_letters',
      'stream_fill',
      'database_pool_waiting',
      'ledger_audit_findings',
      'job_last_success_seconds',
    ];
    const watched = rules.flatMap((rule) => metricsIn(rule.expr));
    expect(own.filter((name) => !watched.includes(name))).toEqual([]);
  });
});
