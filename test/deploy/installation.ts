import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testKeys } from '@tutoring/shared/testing/keys';
import { parseAllDocuments, stringify } from 'yaml';
import { manifest, type Kind, type Manifest, type Of } from './manifest.ts';
import { root, text } from './processes.ts';
import { helm, kubectl } from './tools.ts';

const run = promisify(execFile);
const DIGITS = 'a1b2c3d4';

/** The installations that a values file of the chart describes. */
export const INSTALLATIONS = ['production', 'first-look'] as const;
export type InstallationName = (typeof INSTALLATIONS)[number];

/** The values of Secrets, by name. */
type Secrets = Record<string, Record<string, string>>;

export interface Installation {
  objects: Manifest[];
  secrets: Secrets;
  all<K extends Kind>(kind: K): Of<K>[];
  /** Throws when there is none. */
  one<K extends Kind>(kind: K, name: string): Of<K>;
  /** The environment of the object's containers. Throws for a reference to a missing object or key. */
  environment(workload: Of<'Deployment'> | Of<'Job'>): Record<string, string>;
}

const secretsIn = (yaml: string): Secrets =>
  Object.fromEntries(
    parseAllDocuments(yaml).map((document) => {
      const { metadata, stringData } = document.toJS() as {
        metadata: { name: string };
        stringData: Record<string, string>;
      };
      return [metadata.name, stringData];
    }),
  );

/** Values for the placeholders `<...>` in `secrets.example.yaml`. */
const EXAMPLE_VALUES: Record<string, string> = {
  ...testKeys('wallet'),
  CODE_KEYS: `k1:${[...DIGITS.repeat(8)].reverse().join('')}`,
  TOTP_KEYS: `k1:${[...DIGITS.repeat(8)].reverse().join('')}`,
  ROOM_NAMESPACE: '5f0c6f0e-27c5-4a6e-9d5c-0f5bb8a2d1aa',
  CALENDAR_KEYS: `k1:${[...DIGITS.repeat(8)].reverse().join('')}`,
  AGORA_APP_ID: DIGITS.repeat(4),
  AGORA_APP_CERTIFICATE: `${DIGITS.repeat(3)}deadbeef`,
  ADMIN_EMAIL: 'head@school.test',
};

async function productionSecrets(): Promise<Secrets> {
  const example = secretsIn(await text('deploy/kubernetes/secrets.example.yaml'));
  const fill = (key: string, value: string) => EXAMPLE_VALUES[key] ?? value.replaceAll(/<[^>]*>/g, 'w0rd-of-3');
  return Object.fromEntries(
    Object.entries(example).map(([name, values]) => [
      name,
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(key, value)])),
    ]),
  );
}

/** The output of make-secrets.mjs for the first look. */
async function generatedSecrets(): Promise<Secrets> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  const node = (script: string, ...args: string[]) => run(process.execPath, [join(root, script), ...args]);
  try {
    const file = join(folder, '.env');
    await node('deploy/compose/make-env.mjs', file);
    const servers = ['postgres:5432', 'nats:4222', 'redis:6379'];
    return secretsIn((await node('deploy/kubernetes/make-secrets.mjs', file, ...servers)).stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Parses and validates each object. */
function objectsIn(yaml: string): Manifest[] {
  const documents = parseAllDocuments(yaml);
  const problems = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return documents.map((document) => manifest.parse(document.toJS()));
}

/** The objects of the chart with a values file of deploy/helm and further values. Throws when Helm refuses the values. */
export async function chart(name: InstallationName, values: object = {}): Promise<Manifest[]> {
  const file = `deploy/helm/values-${name}.yaml`;
  const yaml = await helm(['template', 'tutoring', 'deploy/helm', '-f', file, '-f', '-'], stringify(values));
  return objectsIn(yaml);
}

/** The objects of an installation, with the servers of the first look, and its Secrets. */
export async function render(name: InstallationName): Promise<Installation> {
  const secrets = await (name === 'production' ? productionSecrets() : generatedSecrets());
  const servers = name === 'production' ? '' : await kubectl(['kustomize', 'deploy/kubernetes/first-look']);
  const objects = [...(await chart(name)), ...objectsIn(servers)];
  const all = <K extends Kind>(kind: K) => objects.filter((object): object is Of<K> => object.kind === kind);
  const one = <K extends Kind>(kind: K, object: string) => {
    const found = all(kind).find(({ metadata }) => metadata.name === object);
    if (!found) throw new Error(`${name} has no ${kind} ${object}`);
    return found;
  };
  return {
    objects,
    secrets,
    all,
    one,
    environment: (workload) => {
      const { env = [], envFrom } = workload.spec.template.spec.containers[0];
      const sources = envFrom.map(({ secretRef }) => {
        const values = secrets[secretRef.name];
        if (!values) throw new Error(`${name} refers to the missing Secret ${secretRef.name}`);
        return values;
      });
      const variables = env.map((variable) => [variable.name, variable.value.replaceAll('$$', '$')] as const);
      return Object.assign({}, ...sources, Object.fromEntries(variables)) as Record<string, string>;
    },
  };
}
