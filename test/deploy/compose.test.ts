import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/config';
import { parse } from 'yaml';
import { NAMES, PROCESSES, root, strangers, text, type ProcessName } from './processes.ts';

const run = promisify(execFile);
const makeEnv = (file: string) => run(process.execPath, [join(root, 'deploy/compose/make-env.mjs'), file]);

interface ComposeService {
  image: string;
  build?: { dockerfile: string; args: { PACKAGE: string } };
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  ports?: string[];
}

const compose = parse(await text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
};
const dockerfile = await text('deploy/Dockerfile');

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
    const known = env[name] ?? (kind === '-' ? rest : undefined);
    if (known === undefined) throw new Error(`make-env.mjs does not make ${name}`);
    return known;
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

  test('never touches a file that is there', async () => {
    const file = join(folder, 'mine');
    await writeFile(file, 'PORT=1\n');
    expect((await makeEnv(file)).stdout).toContain('stays as it is');
    expect(await readFile(file, 'utf8')).toBe('PORT=1\n');
  });

  test('makes other secrets every time, and no more than the compose file reads', async () => {
    const second = join(folder, 'second');
    await makeEnv(second);
    const other = await readFile(second, 'utf8');
    for (const [name, value] of Object.entries(env))
      if (!['PORT', 'PUBLIC_URL', 'ADMIN_EMAIL'].includes(name)) expect(other).not.toContain(value);
    const read = [...(await text('docker-compose.yml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const optional = ['SMTP_URL'];
    expect([...new Set(read)].sort()).toEqual([...Object.keys(env), ...optional].sort());
  });
});

describe('docker-compose.yml', () => {
  test.each(NAMES)('%s starts with the environment that it is given', (name) => {
    const environment = environmentOf(name);
    expect(strangers(name, Object.keys(environment))).toEqual([]);
    expect(() => parseConfig(PROCESSES[name], { PORT: '8080', ...environment })).not.toThrow();
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
      expect(condition).toBe('service_healthy');
      const target = compose.services[other]!;
      expect(target.healthcheck !== undefined || target.build !== undefined).toBe(true);
    }
    const servers = name === 'gateway' ? ['redis', ...NAMES.filter((it) => it !== name)] : ['postgres', 'nats'];
    expect(Object.keys(waits).sort()).toEqual([...servers].sort());
  });

  test('PostgreSQL gets exactly the passwords that the services use', () => {
    const passwords = environmentOf('postgres');
    for (const name of NAMES.filter((it) => it !== 'gateway')) {
      const { DATABASE_URL, MIGRATION_DATABASE_URL } = environmentOf(name);
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

  test('volumes and files that it names exist', () => {
    const sources = Object.values(compose.services).flatMap((service) =>
      (service.volumes ?? []).map((volume) => volume.split(':')[0]!),
    );
    for (const source of sources)
      if (source.startsWith('.')) expect(existsSync(join(root, source))).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
  });

  test('nothing but the gateway and the mail page is reachable, and those from this machine alone', () => {
    const open = Object.entries(compose.services).filter(([, service]) => service.ports);
    expect(open.map(([name]) => name).sort()).toEqual(['gateway', 'mailpit']);
    for (const [, { ports = [] }] of open) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('the image', () => {
  test('listens where compose and Kubernetes look for it', async () => {
    expect(dockerfile).toMatch(/^ENV NODE_ENV=production PORT=8080 METRICS_PORT=9090$/m);
    expect(dockerfile).toMatch(/^EXPOSE 8080 9090$/m);
    const deployment = parse(await text('deploy/kubernetes/components/process/deployment.yaml'));
    expect(deployment.spec.template.spec.containers[0].ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ]);
    expect(compose.services['gateway']!.ports).toEqual(['127.0.0.1:${PORT:-8080}:8080']);
  });

  test('runs as the user that Kubernetes expects, without a shell around the process', async () => {
    const deployment = parse(await text('deploy/kubernetes/components/process/deployment.yaml'));
    const { runAsUser, runAsGroup } = deployment.spec.template.spec.securityContext;
    expect(dockerfile).toMatch(new RegExp(`^USER ${runAsUser}:${runAsGroup}$`, 'm'));
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "src\/main\.ts"\]$/m);
    expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]+\/livez/);
  });

  test('gets no test, no secret and no installed dependency from the working tree', async () => {
    const ignored = (await text('.dockerignore')).split('\n').filter((line) => line && !line.startsWith('#'));
    expect(ignored[0]).toBe('*');
    for (const pattern of ['**/test', '**/node_modules', '**/.*', 'shared/src/testing'])
      expect(ignored).toContain(pattern);
    expect(ignored.filter((line) => line.startsWith('!')).sort()).toEqual(
      ['!gateway', '!package-lock.json', '!package.json', '!services', '!shared', '!shared/client/package.json'].sort(),
    );
  });
});
