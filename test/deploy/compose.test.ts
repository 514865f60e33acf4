import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { signerOf } from '@tutoring/shared/testing/keys';
import { parse } from 'yaml';
import { chart } from './installation.ts';
import { NAMES, PROCESSES, root, unknownVariables, text, type ProcessName } from './processes.ts';

const run = promisify(execFile);
const SERVICES = NAMES.filter((name) => name !== 'gateway');
const makeEnv = (file: string) => run(process.execPath, [join(root, 'deploy/compose/make-env.mjs'), file]);

interface ComposeService {
  image: string;
  build?: { dockerfile: string; args: { PACKAGE: string } };
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  ports?: string[];
  command?: string[];
  restart?: string;
  mem_limit?: string;
  logging?: { options: Record<string, string> };
}

const kubernetes = (await chart('production')).find((object) => object.kind === 'Deployment');
const compose = parse(await text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
};
const dockerfile = await text('deploy/Dockerfile');

const listenOn = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compose-'));
  await makeEnv(join(folder, '.env'));
  const lines = (await readFile(join(folder, '.env'), 'utf8')).trim().split('\n');
  env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
});
afterAll(() => rm(folder, { recursive: true }));

/** `${NAME}`, `${NAME:-default}`, `${NAME-default}` and `${NAME:?message}` as compose resolves them. */
function resolved(value: string): string {
  return value.replaceAll(/\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (_all, name: string, kind?: string, rest?: string) => {
    const resolvedValue = env[name] ?? (kind === '-' ? rest : undefined);
    if (resolvedValue === undefined) throw new Error(`make-env.mjs does not write ${name}`);
    return resolvedValue;
  });
}
const environmentOf = (name: string) =>
  Object.fromEntries(
    Object.entries(compose.services[name]!.environment ?? {}).map(([key, value]) => [key, resolved(value)]),
  );

describe('make-env.mjs', () => {
  test('writes a file that only its owner can read', async () => {
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
  });

  test('never changes existing values, and adds the new ones of a release', async () => {
    const file = join(folder, 'mine');
    const keys = Object.keys(env).filter((name) => /^(\w+_SIGNING|TRUSTED)_KEYS?$/.test(name));
    expect(keys).toHaveLength(NAMES.length + 1);
    const earlier = Object.entries(env).filter(([name]) => !keys.includes(name));
    const lines = ['# mine', ...earlier.map(([name, value]) => `${name}=${value}`)];
    await writeFile(file, lines.join('\n'));
    expect((await makeEnv(file)).stdout).toBe(`Added to ${file}: ${keys.join(', ')}\n`);
    const added = await readFile(file, 'utf8');
    expect(added.trim().split('\n')).toEqual([...lines, ...keys.map((name) => expect.stringMatching(`^${name}=.`))]);
    expect((await makeEnv(file)).stdout).toContain('stays as it is');
    expect(await readFile(file, 'utf8')).toBe(added);
  });

  test('makes a separate key for each process, which all trust', () => {
    for (const name of NAMES) {
      const { SIGNING_KEY, TRUSTED_KEYS } = environmentOf(name);
      expect(() => signerOf(name, () => ({ SIGNING_KEY: SIGNING_KEY!, TRUSTED_KEYS: TRUSTED_KEYS! }))).not.toThrow();
      const others = NAMES.filter((other) => other !== name).map((other) => env[`${other.toUpperCase()}_SIGNING_KEY`]!);
      for (const other of others) expect(Object.values(environmentOf(name))).not.toContain(other);
    }
  });

  test('moves every port with PORT', async () => {
    const file = join(folder, 'elsewhere');
    await run(process.execPath, [join(root, 'deploy/compose/make-env.mjs'), file], { env: { PORT: '9080' } });
    const ports = (await readFile(file, 'utf8')).split('\n').filter((line) => /PORT=|URL=/.test(line));
    expect(ports).toEqual([
      'PORT=9080',
      'PUBLIC_URL=http://localhost:9080',
      'MAIL_PORT=9025',
      'PROMETHEUS_PORT=10090',
      'GRAFANA_PORT=4000',
    ]);
  });

  test('makes different secrets every time, and only those that the compose file reads', async () => {
    const second = join(folder, 'second');
    await makeEnv(second);
    const other = await readFile(second, 'utf8');
    for (const [name, value] of Object.entries(env))
      if (!/_?PORT$|^PUBLIC_URL$|^ADMIN_EMAIL$/.test(name)) expect(other).not.toContain(value);
    const read = [...(await text('docker-compose.yml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const optional = ['SMTP_URL'];
    expect([...new Set(read)].sort()).toEqual([...Object.keys(env), ...optional].sort());
  });
});

describe('docker-compose.yml', () => {
  test.each(NAMES)('%s starts with its environment', (name) => {
    const environment = environmentOf(name);
    expect(unknownVariables(name, Object.keys(environment))).toEqual([]);
    expect(() => parseConfig(PROCESSES[name], { PORT: '8080', ...environment })).not.toThrow();
    expect(Object.keys(environment).filter((key) => key.startsWith('MIGRATION_'))).toEqual([]);
  });

  test.each(SERVICES)('%s is migrated by a container that ends before it starts', (name) => {
    const { image, command, restart, depends_on: waits } = compose.services[`migrate-${name}`]!;
    expect({ image, command, restart }).toEqual({ image: `tutoring/${name}`, command: ['migrate'], restart: 'no' });
    expect(waits).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(environmentOf(`migrate-${name}`)).toEqual({
      ...environmentOf(name),
      MIGRATION_DATABASE_URL: expect.stringMatching(new RegExp(`^postgres://${name}_owner:\\w+@postgres/${name}$`)),
      ...(name === 'identity' && {
        MIGRATION_NATS_URL: expect.stringMatching(/^nats:\/\/tutoring-operator:\w+@nats:4222$/),
      }),
    });
    expect(compose.services[name]!.depends_on?.[`migrate-${name}`]).toEqual({
      condition: 'service_completed_successfully',
    });
  });

  test.each(Object.keys(compose.services))('%s can fill neither the memory nor the disk with its log', (name) => {
    const { mem_limit, logging } = compose.services[name]!;
    expect(mem_limit).toMatch(/^\d+m$/);
    expect(logging?.options).toEqual({ 'max-size': '10m', 'max-file': '3' });
  });

  test.each(NAMES)('%s is built from its package and waits for what it needs', (name: ProcessName) => {
    const { build, image, depends_on: waits = {} } = compose.services[name]!;
    expect(image).toBe(`tutoring/${name}`);
    expect(build).toEqual({
      context: '.',
      dockerfile: 'deploy/Dockerfile',
      args: { PACKAGE: name === 'gateway' ? 'gateway' : `services/${name}` },
    });
    for (const [other, { condition }] of Object.entries(waits)) {
      if (other === `migrate-${name}`) continue;
      expect(condition).toBe('service_healthy');
      const target = compose.services[other]!;
      expect(target.healthcheck !== undefined || target.build !== undefined).toBe(true);
    }
    const servers = name === 'gateway' ? ['redis', ...SERVICES] : ['nats', `migrate-${name}`];
    expect(Object.keys(waits).sort()).toEqual([...servers].sort());
  });

  test('PostgreSQL gets exactly the passwords that the services use', () => {
    const passwords = environmentOf('postgres');
    for (const name of SERVICES) {
      const { DATABASE_URL, MIGRATION_DATABASE_URL } = environmentOf(`migrate-${name}`);
      const upper = name.toUpperCase();
      expect(DATABASE_URL).toBe(
        `postgres://${name}_service:${passwords[`${upper}_SERVICE_PASSWORD`]}@postgres/${name}`,
      );
      expect(MIGRATION_DATABASE_URL).toBe(
        `postgres://${name}_owner:${passwords[`${upper}_OWNER_PASSWORD`]}@postgres/${name}`,
      );
    }
    expect(Object.keys(passwords)).toHaveLength(1 + 2 * 4);
  });

  test('all its volumes and files exist', () => {
    const sources = Object.values(compose.services).flatMap((service) =>
      (service.volumes ?? []).map((volume) => volume.split(':')[0]!),
    );
    for (const source of sources)
      if (source.startsWith('.')) expect(existsSync(join(root, source))).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
  });

  test('a backup copies every volume except the streams, which the outboxes can restore', () => {
    const mounts = compose.services['copy']!.volumes!.map((volume) => volume.split(':'));
    expect(mounts.map(([volume]) => volume).sort()).toEqual(
      Object.keys(compose.volumes)
        .filter((volume) => volume !== 'nats')
        .sort(),
    );
    for (const [volume, path] of mounts) expect(path).toBe(`/volumes/${volume}`);
  });

  test('only the gateway and the web pages of tools are reachable, and only from this machine', () => {
    const open = Object.entries(compose.services).filter(([, service]) => service.ports);
    expect(open.map(([name]) => name).sort()).toEqual(['gateway', 'grafana', 'mailpit', 'prometheus']);
    for (const [, { ports = [] }] of open) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('the image', () => {
  test('listens on the port that compose and Kubernetes use', async () => {
    expect(dockerfile).toMatch(/^ENV PATH=\/usr\/local\/bin NODE_ENV=production PORT=8080 METRICS_PORT=9090$/m);
    expect(dockerfile).toMatch(/^EXPOSE 8080 9090$/m);
    expect(kubernetes!.spec.template.spec.containers[0].ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ]);
    expect(compose.services['gateway']!.ports).toEqual(['127.0.0.1:${PORT:-8080}:8080']);
  });

  test('runs as the user that Kubernetes expects, without a shell around the process', async () => {
    const { runAsUser, runAsGroup } = kubernetes!.spec.template.spec.securityContext;
    expect(dockerfile).toMatch(new RegExp(`^USER ${runAsUser}:${runAsGroup}$`, 'm'));
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "src\/main\.ts"\]$/m);
  });

  test('contains only Node, dependencies and sources, and of the base image only what Node loads', () => {
    expect(dockerfile).toMatch(/^FROM scratch$/m);
    const [, last] = dockerfile.split(/^FROM scratch$/m);
    const copied = [...last!.matchAll(/^COPY (.+)$/gm)].map(([, what]) => what);
    expect(copied).toEqual([
      '--from=dependencies /runtime /',
      '--from=dependencies /app /app',
      '--from=dashboard /built /app',
      'shared/package.json /app/shared/',
      'shared/migrations /app/shared/migrations',
      'shared/texts /app/shared/texts',
      'shared/contract /app/shared/contract',
      'shared/kit /app/shared/kit',
      '${PACKAGE} /app/${PACKAGE}',
    ]);
  });

  test('of the gateway contains only the built files of the dashboard; other images contain none', () => {
    const [, stage = ''] = /^FROM \S+ AS dashboard$(.*?)^FROM /ms.exec(dockerfile)!;
    const steps = [...stage.matchAll(/^RUN (.+?[^\\])$/gms)].map(([, step = '']) => step);
    for (const step of steps) expect(step).toContain('if [ "$PACKAGE" = gateway ]; then');
    const served = ['/built/dashboard/dist', '/built/dashboard/dist;'];
    expect(stage.match(/\/built\S*/g)).toEqual(['/built', '/built/dashboard', ...served]);
    // The new release keeps the files of the running one; without one, an empty folder takes its place.
    expect(stage).toContain('COPY --from=released /app/dashboard/dist /released');
    expect(stage).toContain('cp -r /released /built/dashboard/dist && node dashboard/release.ts /built/dashboard/dist');
    expect(dockerfile).toMatch(
      /^ARG RELEASED=(\S+)$[^]*^FROM \$\{NODE_IMAGE\} AS \1\nRUN mkdir -p \/app\/dashboard\/dist$/m,
    );
    expect(dockerfile).toMatch(/^FROM \$\{RELEASED\} AS released$/m);
  });

  test('its health check returns the health of the process', async () => {
    const [, timeout, command] = /^HEALTHCHECK .*--timeout=(\d+)s.*\n\s+CMD (\[.+\])$/m.exec(dockerfile)!;
    expect(timeout).toBe('10');
    const [, ...args] = JSON.parse(command!) as string[];
    const check = (port: string) =>
      run(process.execPath, args, { env: { PORT: port } }).then(
        () => 'healthy',
        () => 'unhealthy',
      );
    const server = createServer((req, res) => res.writeHead(req.url === '/readyz' ? status : 404).end());
    let status = 200;
    const port = String(await listenOn(server));
    expect(await check(port)).toBe('healthy');
    status = 503;
    expect(await check(port)).toBe('unhealthy');
    await new Promise((done) => server.close(done));
    expect(await check(port)).toBe('unhealthy');
  });

  test('contains no tests, secrets and installed dependencies of the working tree', async () => {
    const ignored = (await text('.dockerignore')).split('\n').filter((line) => line && !line.startsWith('#'));
    expect(ignored[0]).toBe('*');
    for (const pattern of ['**/test', '**/node_modules', '**/.*', 'shared/testing']) expect(ignored).toContain(pattern);
    expect(ignored.filter((line) => line.startsWith('!')).sort()).toEqual(
      [
        '!dashboard',
        '!gateway',
        '!package-lock.json',
        '!package.json',
        '!services',
        '!shared',
        '!shared/client/package.json',
        '!shared/client/src',
      ].sort(),
    );
  });
});
