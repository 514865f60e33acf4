import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testKeys } from '@tutoring/shared/testing/keys';
import { parseAllDocuments } from 'yaml';
import { manifest, type Kind, type Manifest, type Of } from './manifest.ts';
import { root, text } from './processes.ts';

const run = promisify(execFile);
const DIGITS = 'a1b2c3d4';

export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
export const OVERLAYS = ['development', 'production', 'first-look'] as const;
export type OverlayName = (typeof OVERLAYS)[number];

/** The values of Secrets, by name. */
type Secrets = Record<string, Record<string, string>>;

export interface Overlay {
  objects: Manifest[];
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

/** The output of make-secrets.mjs for the overlay. */
async function generatedSecrets(overlay: OverlayName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  const node = (script: string, ...args: string[]) => run(process.execPath, [join(root, script), ...args]);
  const servers = overlay === 'first-look' ? ['nats:4222', 'redis:6379'] : ['nats.nats:4222'];
  try {
    const file = join(folder, '.env');
    await node('deploy/compose/make-env.mjs', file);
    return (await node('deploy/kubernetes/make-secrets.mjs', file, 'postgres:5432', ...servers)).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `kubectl kustomize` on a copy, because the overlay first-look needs a file with its Secrets. */
async function kustomize(overlay: OverlayName, secrets: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overlay-'));
  try {
    await cp(join(root, 'deploy'), folder, { recursive: true });
    const files = join(folder, 'kubernetes/overlays', overlay);
    if (overlay === 'first-look') await writeFile(join(files, 'secrets.yaml'), secrets);
    return (await run('kubectl', ['kustomize', files])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Renders an overlay like `kubectl apply -k`, and validates each object. */
export async function render(overlay: OverlayName): Promise<Overlay> {
  const made = overlay === 'production' ? '' : await generatedSecrets(overlay);
  const secrets = overlay === 'production' ? await productionSecrets() : secretsIn(made);
  const rendered = parseAllDocuments(await kustomize(overlay, made));
  const objects = rendered.map((document) => manifest.parse(document.toJS()));
  const all = <K extends Kind>(kind: K) => objects.filter((object): object is Of<K> => object.kind === kind);
  const one = <K extends Kind>(kind: K, name: string) => {
    const found = all(kind).find((object) => object.metadata.name === name);
    if (!found) throw new Error(`${overlay} has no ${kind} ${name}`);
    return found;
  };
  return {
    objects,
    all,
    one,
    environment: (workload) => {
      const sources = workload.spec.template.spec.containers[0].envFrom.map((source) => {
        if ('configMapRef' in source) return one('ConfigMap', source.configMapRef.name).data;
        const values = secrets[source.secretRef.name];
        if (!values) throw new Error(`${overlay} refers to the missing Secret ${source.secretRef.name}`);
        return values;
      });
      return Object.assign({}, ...sources) as Record<string, string>;
    },
  };
}
