import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROCESSES } from '@tutoring/shared/contract/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { parse, stringify } from 'yaml';
import { freePort } from '../../deploy/local/servers.ts';
import { root, text } from '../deploy/processes.ts';
import { startSystem, type System } from './system.ts';

/* Evaluates deploy/observability/alerts.yaml with a real Prometheus that scrapes the five processes. */

const SCRAPES = 10;
/** Longer than other tests keep the event loops of a small machine busy. */
const PATIENCE_MS = 240_000;

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;
const withPrometheus = hasPrometheus || process.env['CI'] === 'true' ? test : test.skip;

let folder: string;
let system: System;
let prometheus: ChildProcess | undefined;
let api: string;

async function ask(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
  const response = await fetch(`${api}/query?query=${encodeURIComponent(expression)}`);
  const { data, error } = (await response.json()) as {
    data?: { result: Awaited<ReturnType<typeof ask>> };
    error?: string;
  };
  if (!data) throw new Error(error);
  return data.result;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const metrics = Object.fromEntries(
    await Promise.all(PROCESSES.map(async (name) => [name, await freePort()] as const)),
  );
  system = await startSystem({ metrics });
  if (!hasPrometheus) return;
  const targets = PROCESSES.map((service) => ({ targets: [`127.0.0.1:${metrics[service]}`], labels: { service } }));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(root, 'deploy/observability/alerts.yaml')],
    scrape_configs: [{ job_name: 'tutoring', honor_labels: true, static_configs: targets }],
  };
  await writeFile(join(folder, 'prometheus.yaml'), stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const files = [`--config.file=${join(folder, 'prometheus.yaml')}`, `--storage.tsdb.path=${join(folder, 'data')}`];
  prometheus = spawn('prometheus', [...files, `--web.listen-address=${address}`], { stdio: 'ignore' });
  api = `http://${address}/api/v1`;
});
afterAll(async () => {
  if (prometheus && prometheus.exitCode === null) {
    prometheus.kill('SIGTERM');
    await once(prometheus, 'exit');
  }
  await system.stop();
  await rm(folder, { recursive: true });
});

withPrometheus('no alert fires in an idle system', async () => {
  if (!hasPrometheus) throw new Error('CI needs prometheus: install it');
  await eventually('every process is scraped', async () => {
    const scraped = await ask('min by (service) (count_over_time(up[10m]))').catch(() => []);
    return scraped.length === PROCESSES.length && scraped.every(({ value }) => Number(value[1]) >= SCRAPES);
  });
  const { groups } = parse(await text('deploy/observability/alerts.yaml')) as Rules;
  const rules = groups.flatMap((group) => group.rules);
  // Some rules match shortly after a start: a busy event loop, unsent events.
  let matching: unknown[] = [];
  await eventually(
    'no expression matches',
    async () => {
      const found = await Promise.all(rules.map(async ({ alert, expr }) => ({ alert, matches: await ask(expr) })));
      matching = found.filter(({ matches }) => matches.length > 0);
      return matching.length === 0;
    },
    PATIENCE_MS,
  ).catch(() => expect(matching).toEqual([]));
});
