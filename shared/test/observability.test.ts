import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { serviceConfig } from '../contract/config.ts';
import { rows } from '../kit/database/sql.ts';
import { publish } from '../contract/publish.ts';
import { on } from '../contract/subscriptions.ts';
import { route } from '../kit/http/declare/route.ts';
import { defineService } from '../contract/service.ts';
import { send } from '../testing/client.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';
import { startTracing } from '../kit/process/context.ts';
import { freePort } from '../../deploy/local/servers.ts';

interface Span {
  traceId: string;
  name: string;
  parentSpanId?: string;
}

const probe = defineService({
  name: 'calls',
  config: serviceConfig,
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: ({ database }) => ({
    routes: [
      route('get /api/things/{id}', {
        summary: 'Tell a thing',
        auth: 'public',
        params: z.object({ id: z.string() }),
        response: z.strictObject({ id: z.string() }),
        handle: ({ params }) =>
          database.transact(async (tx) => {
            publish(tx, [{ name: 'setting.changed', data: { name: params.id, value: 1, version: 1 } }]);
            return params;
          }),
      }),
    ],
    subscriptions: [on('setting.changed', async (tx) => void (await rows(tx, 'select 1')))],
  }),
});

interface Exported {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

const spans: Span[] = [];
const resources = new Map<string, string | undefined>();
let collector: Server;
let stopTracing: () => Promise<void>;
let service: TestService;
let metricsPort: number;

beforeAll(async () => {
  collector = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Exported;
      for (const { key, value } of body.resourceSpans.flatMap(({ resource }) => resource.attributes))
        resources.set(key, value.stringValue);
      spans.push(...body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
      res.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '50';
  process.env['OTEL_RESOURCE_ATTRIBUTES'] = 'deployment.environment=school,service.namespace=lessons';
  stopTracing = await startTracing('calls', process.env);
  metricsPort = await freePort();
  service = await startTestService(probe, { env: { METRICS_PORT: String(metricsPort) } });
});
afterAll(async () => {
  await service.stop();
  await stopTracing();
  collector.close();
});

test('one trace contains the request, its statements and the consumer of its event', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  expect((await send('GET', `${service.url}/api/things/7`, { headers })).status).toBe(200);
  const names = () => spans.filter((span) => span.traceId === traceId).map((span) => span.name);
  await eventually('the spans are exported', () =>
    ['GET /api/things/{id}', 'sql', 'consume setting.changed'].every((name) => names().includes(name)),
  );
});

test('spans carry the resource attributes of OTEL_RESOURCE_ATTRIBUTES', () => {
  expect(Object.fromEntries(resources)).toEqual({
    'service.name': 'calls',
    'service.namespace': 'lessons',
    'deployment.environment': 'school',
  });
});

test('statements of jobs and scrapes are not traced', async () => {
  const before = spans.length;
  await send('GET', `http://127.0.0.1:${metricsPort}/metrics`);
  // Exported after everything that the scrape has caused.
  await send('GET', `${service.url}/api/things/9`);
  await eventually('the request is exported', () => spans.slice(before).some(({ name }) => name.startsWith('GET')));
  expect(spans.filter(({ name, parentSpanId }) => name === 'sql' && !parentSpanId)).toEqual([]);
});

test('a process stops cleanly without an OpenTelemetry collector', async () => {
  const env = {
    ...process.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_BSP_SCHEDULE_DELAY: '60000',
  };
  const script = new URL('traced-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('metrics count requests by path template, never by path', async () => {
  await send('GET', `${service.url}/api/things/8`);
  await send('GET', `${service.url}/api/nothing`);
  const { text, status } = await send('GET', `http://127.0.0.1:${metricsPort}/metrics`);
  expect(status).toBe(200);
  const counted = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
  expect(counted.some((line) => line.includes('route="/api/things/{id}"') && line.includes('status="200"'))).toBe(true);
  expect(counted.some((line) => line.includes('route="unknown"') && line.includes('status="404"'))).toBe(true);
  expect(text).not.toContain('things/8');
  for (const gauge of ['outbox_unsent', 'outbox_lag_seconds', 'dead_letters', 'consumer_lag', 'database_pool_total']) {
    expect(text).toMatch(new RegExp(`^${gauge}\\{service="calls"\\} \\d`, 'm'));
  }
  expect(text).toContain('nodejs_eventloop_lag_seconds');
});

test('a scrape does not count its own statements as waiting for a connection', async () => {
  const scrape = async () => (await send('GET', `http://127.0.0.1:${metricsPort}/metrics`)).text;
  // The first scrape opens connections.
  await scrape();
  expect(await scrape()).toMatch(/^database_pool_waiting\{service="calls"\} 0$/m);
});

test('metrics are not served on the public port', async () => {
  expect((await send('GET', `${service.url}/metrics`)).status).toBe(404);
});
