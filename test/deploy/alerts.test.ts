import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { root, text } from './processes.ts';

/*
 * The unit tests of the alerts are in deploy/observability/alerts.test.yaml; promtool (Debian: prometheus) runs them.
 */

interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

const FOLDER = join(root, 'deploy/observability');
const alerts = parse(await text('deploy/observability/alerts.yaml')) as { groups: { rules: { alert: string }[] }[] };
const { tests } = parse(await text('deploy/observability/alerts.test.yaml')) as { tests: RuleTest[] };

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const withPromtool = hasPromtool || process.env['CI'] === 'true' ? test : test.skip;

withPromtool('the rules pass their unit tests (promtool)', () => {
  if (!hasPromtool) throw new Error('CI needs promtool: install prometheus');
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
    expect({ status, says: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, says: '' });
  }
});

test('every alert has a unit test in which it fires', () => {
  const fired = tests.flatMap((rules) => rules.alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0));
  const names = alerts.groups.flatMap((group) => group.rules.map((rule) => rule.alert));
  expect(names.filter((rule) => !fired.some(({ alertname }) => alertname === rule))).toEqual([]);
});

describe('Prometheus operator', () => {
  test('prometheus-rule.sh prints the same rules', () => {
    const { stdout } = spawnSync(join(FOLDER, 'prometheus-rule.sh'), { encoding: 'utf8' });
    expect(parse(stdout)).toMatchObject({ kind: 'PrometheusRule', spec: alerts });
  });

  test('pod-monitor.yaml scrapes the same targets as scrape.yaml', async () => {
    const { scrape_configs } = parse(await text('deploy/observability/scrape.yaml'));
    const [{ job_name, scrape_interval, honor_labels, relabel_configs }] = scrape_configs;
    const { spec } = parse(await text('deploy/observability/pod-monitor.yaml'));
    const [endpoint] = spec.podMetricsEndpoints;
    const [system, component, port] = relabel_configs[0].regex.split(';');
    expect(spec.selector.matchLabels).toEqual({
      'app.kubernetes.io/part-of': system,
      'app.kubernetes.io/component': component,
    });
    expect(endpoint).toEqual({
      port,
      interval: scrape_interval,
      honorLabels: honor_labels,
      relabelings: [
        { targetLabel: 'job', replacement: job_name },
        { sourceLabels: relabel_configs[1].source_labels, targetLabel: relabel_configs[1].target_label },
      ],
    });
  });
});
