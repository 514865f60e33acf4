import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as fill } from '@evertdespiegeleer/go-template';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { manifest, type Manifest } from './manifest.ts';
import { hasKubectl, render } from './overlay.ts';
import { chartSchema, isSecret } from './chart-variables.ts';
import { variablesOf, NAMES, root, text } from './processes.ts';

/*
 * The chart is rendered with Go's template engine, as in Helm; its templates use no functions that only Helm has. The
 * rendered objects equal those of the kustomize overlay `production`.
 */

const CHART = 'deploy/helm';
const REVISION = 7;

interface Values {
  services: Record<string, { config: Record<string, string>; image: string }>;
  config: Record<string, string>;
  [more: string]: unknown;
}
const values = parse(await text(`${CHART}/values.yaml`)) as Values;
const schema = new Ajv({ strict: false }).compile(JSON.parse(await text(`${CHART}/values.schema.json`)) as object);
const templates = (await readdir(join(root, CHART, 'templates'))).sort();

async function chart(custom: object = values): Promise<Manifest[]> {
  const data = { Values: custom, Release: { Revision: REVISION } };
  const files: string[] = [];
  for (const file of templates) files.push(await fill(await text(`${CHART}/templates/${file}`), data));
  return files
    .flatMap((file) => parseAllDocuments(file))
    .map((document) => {
      expect([...document.errors, ...document.warnings]).toEqual([]);
      return document.toJS() as object | null;
    })
    .filter((object) => object !== null)
    .map((object) => manifest.parse(object));
}

const keyOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
const byName = (objects: Manifest[]) => Object.fromEntries(objects.map((object) => [keyOf(object), object]));

/** Removes intended differences: hashes in names, the namespace, and annotations for changed configuration. */
function plain(objects: Manifest[]): Record<string, Manifest> {
  const bare = JSON.stringify(objects, (key, value: unknown) =>
    ['namespace', 'tutoring/config'].includes(key) ? undefined : value,
  );
  const unhashed = bare
    .replaceAll(/"name":"(common|gateway|identity|wallet|messaging|calls)-[a-z0-9]{10}"/g, '"name":"$1"')
    .replaceAll(/"name":"(migrate-\w+)-7"/g, '"name":"$1"');
  const parsed = JSON.parse(unhashed) as Manifest[];
  return byName(parsed.filter(({ kind }) => kind !== 'Namespace'));
}

if (hasKubectl)
  test('renders the same objects as the kustomize overlay for production', async () => {
    const { objects } = await render('production');
    expect(plain(await chart())).toEqual(plain(objects));
  });
else test('kubectl is not installed: the chart is not compared with the overlay', () => expect(hasKubectl).toBe(false));

test('has the version of the product', async () => {
  const { version } = JSON.parse(await text('package.json')) as { version: string };
  expect(parse(await text(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

test.each(NAMES)('sets only variables that %s reads, and refuses secret ones', async (name) => {
  expect(Object.keys(values.services[name]!.config).filter((key) => !variablesOf(name).includes(key))).toEqual([]);
  expect(schema(values)).toBe(true);
  const leaky = structuredClone(values);
  leaky.services[name]!.config['SIGNING_KEY'] = 'k1:x';
  expect(schema(leaky)).toBe(false);
});

test('the schema lists the variables of the processes (updated by npm run docs)', async () => {
  expect(JSON.parse(await text(`${CHART}/values.schema.json`))).toEqual(JSON.parse(await chartSchema()));
});

/** Identifiers in secrets.example.yaml that are not secret themselves. */
const IDENTIFIERS = /^(ADMIN_EMAIL|FILES_ACCESS_KEY_ID|TWILIO_(ACCOUNT_SID|FROM)|.*_CLIENT_ID|.*_APP_ID)$/;

test('every secret of secrets.example.yaml is refused among the variables', async () => {
  const secrets = parseAllDocuments(await text('deploy/kubernetes/secrets.example.yaml')).flatMap((document) =>
    Object.keys((document.toJS() as { stringData: object }).stringData),
  );
  expect(secrets.filter((name) => !isSecret(name) && !IDENTIFIERS.test(name))).toEqual([]);
});

test.each([
  ['wallet', 'CURENCY'],
  ['wallet', 'TRUSTED_PROXY_HOPS'],
  ['wallet', 'DATABASE_READ_URL'],
  ['wallet', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ['messaging', 'FCM_SERVICE_ACCOUNT'],
  ['messaging', 'ROOM_NAMESPACE'],
  ['calls', 'AGORA_APP_CERTIFICATE'],
])('the variables of %s may not include %s', (name, variable) => {
  const wrong = structuredClone(values);
  wrong.services[name]!.config[variable] = 'x';
  expect(schema(wrong)).toBe(false);
});

test.each(['PUBLIC_URLL', 'DATABASE_URL', 'TRUSTED_KEYS'])(
  'refuses %s among the variables of all processes',
  (variable) => {
    expect(schema({ ...values, config: { ...values.config, [variable]: 'x' } })).toBe(false);
  },
);

test.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'NODE_EXTRA_CA_CERTS', 'TZ'])(
  'accepts %s among the variables of all processes',
  (variable) => {
    expect(schema({ ...values, config: { ...values.config, [variable]: 'x' } })).toBe(true);
  },
);

test.each<[string, (wrong: Values) => unknown]>([
  ['a number as the value of a variable', (wrong) => Object.assign(wrong.config, { PORT: 8080 })],
  ['an unknown value', (wrong) => Object.assign(wrong, { replicas: 3 })],
  ['a missing service', (wrong) => delete wrong.services['calls']],
  ['an image without tag or digest', (wrong) => Object.assign(wrong.services['calls']!, { image: 'calls' })],
])('refuses %s', (_what, spoil) => {
  const wrong = structuredClone(values);
  spoil(wrong);
  expect(schema(wrong)).toBe(false);
});

test('a changed variable replaces only the replicas of its process; migration jobs have the revision in their names', async () => {
  const changed = structuredClone(values);
  changed.services['wallet']!.config['CURRENCY'] = 'EUR';
  const [before, after] = [byName(await chart()), byName(await chart(changed))];
  const differ = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  expect(differ.sort()).toEqual(['ConfigMap wallet', 'Deployment wallet']);
  expect(Object.keys(before)).toContain(`Job migrate-wallet-${REVISION}`);
});

test.each(['2', 'true'])('the version of the secrets is rendered as a string: %s', async (secretsVersion) => {
  const made = byName(await chart({ ...values, secretsVersion }));
  const { template } = (made['Deployment wallet'] as { spec: { template: { metadata: { annotations: object } } } })
    .spec;
  expect(template.metadata.annotations).toMatchObject({ 'checksum/secrets': secretsVersion });
});

test('the ingress can be disabled', async () => {
  const without = { ...values, ingress: { ...(values['ingress'] as object), enabled: false } };
  expect((await chart(without)).filter(({ kind }) => kind === 'Ingress')).toEqual([]);
});

test('the values set pull secrets, nodes and tolerations of pods, and annotations of service accounts and ingress', async () => {
  const role = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/messaging' };
  const custom = structuredClone(values);
  Object.assign(custom, {
    imagePullSecrets: ['registry', 'mirror'],
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [
      { key: 'dedicated', operator: 'Equal', value: 'tutoring', effect: 'NoSchedule' },
      { operator: 'Exists' },
    ],
    ingress: { ...(values['ingress'] as object), annotations: { 'haproxy.org/timeout-tunnel': '1h' } },
  });
  Object.assign(custom.services['messaging']!, { serviceAccountAnnotations: role });
  expect(schema(custom)).toBe(true);
  const made = byName(await chart(custom));
  for (const { kind, spec } of Object.values(made) as { kind: string; spec: { template: { spec: object } } }[])
    if (kind === 'Deployment' || kind === 'Job')
      expect(spec.template.spec).toMatchObject({
        imagePullSecrets: [{ name: 'registry' }, { name: 'mirror' }],
        nodeSelector: { 'kubernetes.io/arch': 'arm64' },
        tolerations: custom['tolerations'],
      });
  expect(made['ServiceAccount messaging']!.metadata.annotations).toEqual(role);
  expect(made['ServiceAccount wallet']!.metadata.annotations).toBeUndefined();
  expect(made['Ingress gateway']!.metadata.annotations).toEqual({ 'haproxy.org/timeout-tunnel': '1h' });
});

test('the values replace the ingress by a route of the Gateway API', async () => {
  const custom = {
    ...values,
    ingress: { ...(values['ingress'] as object), enabled: false, admin: false },
    route: { enabled: true, gateway: 'edge', namespace: 'edge-system', section: 'tls' },
  };
  expect(schema(custom)).toBe(true);
  const made = byName(await chart(custom));
  expect(made['Ingress gateway']).toBeUndefined();
  expect(made['HTTPRoute gateway']).toMatchObject({
    spec: {
      parentRefs: [{ name: 'edge', namespace: 'edge-system', sectionName: 'tls' }],
      hostnames: ['api.example.com'],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/api' } }],
          timeouts: { request: '0s' },
          backendRefs: [{ name: 'gateway', port: 8080 }],
        },
      ],
    },
  });
});
