import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { chartSchema, isSecret } from './chart-variables.ts';
import { chart, INSTALLATIONS } from './installation.ts';
import type { Manifest } from './manifest.ts';
import { NAMES, text } from './processes.ts';
import { helm } from './tools.ts';

/* The chart, rendered by Helm with values that change those of production. */

const CHART = 'deploy/helm';

const byName = (objects: Manifest[]) =>
  Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
const render = async (values: object = {}) => byName(await chart('production', values));

test.each(INSTALLATIONS)('Helm finds no fault in the chart with the values for %s', async (name) => {
  const found = await helm(['lint', CHART, '--strict', '-f', `${CHART}/values-${name}.yaml`]);
  expect(found).toContain('1 chart(s) linted, 0 chart(s) failed');
  expect(found).not.toMatch(/\[(WARNING|ERROR)\]/);
});

test('has the version of the product', async () => {
  const { version } = JSON.parse(await text('package.json')) as { version: string };
  expect(parse(await text(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
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

const config = (name: string, variables: object) => ({ services: { [name]: { config: variables } } });

test.each([
  ...NAMES.map((name) => [name, 'SIGNING_KEY']),
  ['wallet', 'CURENCY'],
  ['wallet', 'TRUSTED_PROXY_HOPS'],
  ['wallet', 'DATABASE_READ_URL'],
  ['wallet', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ['messaging', 'FCM_SERVICE_ACCOUNT'],
  ['messaging', 'ROOM_NAMESPACE'],
  ['calls', 'AGORA_APP_CERTIFICATE'],
])('the variables of %s may not include %s', async (name, variable) => {
  const message = new RegExp(`at '/services/${name}'.*\\n.*invalid propertyName '${variable}'`);
  await expect(render(config(name, { [variable]: 'x' }))).rejects.toThrow(message);
});

test.each(['PUBLIC_URLL', 'DATABASE_URL', 'TRUSTED_KEYS'])(
  'refuses %s among the variables of all processes',
  async (variable) => {
    await expect(render({ config: { [variable]: 'x' } })).rejects.toThrow(`invalid propertyName '${variable}'`);
  },
);

test('accepts variables of Node, ICU and OpenTelemetry for all processes', async () => {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'x', NODE_EXTRA_CA_CERTS: 'x', TZ: 'x' };
  const env = environmentOf(await render({ config: variables }), 'Deployment wallet');
  expect(env).toMatchObject(variables);
});

test.each<[string, object, RegExp]>([
  ['a number as the value of a variable', { config: { PORT: 8080 } }, /'\/config\/PORT': got number, want string/],
  ['an unknown value', { replicas: 3 }, /additional properties 'replicas' not allowed/],
  ['a missing service', { services: { calls: null } }, /missing property 'calls'/],
  ['a missing image', { services: { calls: { image: null } } }, /'\/services\/calls\/image': got null/],
  ['a missing address', { config: { PUBLIC_URL: null } }, /'\/config\/PUBLIC_URL': got null/],
  ['an image without tag or digest', { services: { calls: { image: 'calls' } } }, /'calls' does not match pattern/],
])('refuses %s', async (_what, values, message) => {
  await expect(render(values)).rejects.toThrow(message);
});

interface Workload {
  spec: {
    template: { metadata: { annotations: object }; spec: { containers: [{ env: { name: string; value: string }[] }] } };
  };
}
const environmentOf = (objects: Record<string, Manifest>, key: string) =>
  Object.fromEntries(
    (objects[key] as unknown as Workload).spec.template.spec.containers[0].env.map(({ name, value }) => [name, value]),
  );

test('a changed variable changes only the pods of its process', async () => {
  const [before, after] = [await render(), await render(config('wallet', { CURRENCY: 'EUR' }))];
  const differ = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  expect(differ.sort()).toEqual(['Deployment wallet', 'Job migrate-wallet-1']);
});

test('a variable of a process takes precedence over the same variable of all processes', async () => {
  const objects = await render({ config: { LOG_LEVEL: 'warn' }, ...config('wallet', { LOG_LEVEL: 'debug' }) });
  expect(environmentOf(objects, 'Deployment wallet')['LOG_LEVEL']).toBe('debug');
  expect(environmentOf(objects, 'Deployment calls')['LOG_LEVEL']).toBe('warn');
});

test('Kubernetes does not replace references in the value of a variable', async () => {
  const objects = await render(config('identity', { MAIL_FROM: 'a$(PORT)$$b' }));
  // `$$` stands for `$`.
  expect(environmentOf(objects, 'Deployment identity')['MAIL_FROM']).toBe('a$$(PORT)$$$$b');
});

test('the names of migration jobs end with the revision, because Kubernetes cannot change a job', async () => {
  const jobs = Object.keys(await render()).filter((key) => key.startsWith('Job '));
  expect(jobs.sort()).toEqual(['calls', 'identity', 'messaging', 'wallet'].map((name) => `Job migrate-${name}-1`));
  // `helm template` renders no other revision than the first.
  expect(await text(`${CHART}/templates/migrations.yaml`)).toContain('migrate-{{ $name }}-{{ $.Release.Revision }}');
});

test.each(['2', 'true', '1e5'])('the version of the secrets is rendered as a string: %s', async (secretsVersion) => {
  const wallet = (await render({ secretsVersion }))['Deployment wallet'] as unknown as Workload;
  expect(wallet.spec.template.metadata.annotations).toMatchObject({ 'checksum/secrets': secretsVersion });
});

test('the ingress can be disabled', async () => {
  expect(Object.keys(await render({ ingress: { enabled: false } }))).not.toContain('Ingress gateway');
});

test('the values set pull secrets, nodes and tolerations of pods, and annotations of service accounts and ingress', async () => {
  const role = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/messaging' };
  const nodeSelector = { 'kubernetes.io/arch': 'arm64' };
  const tolerations = [
    { key: 'dedicated', operator: 'Equal', value: 'tutoring', effect: 'NoSchedule' },
    { operator: 'Exists' },
  ];
  const made = await render({
    imagePullSecrets: ['registry', 'mirror'],
    nodeSelector,
    tolerations,
    ingress: {
      annotations: { 'haproxy.org/timeout-tunnel': '1h', 'nginx.ingress.kubernetes.io/proxy-body-size': null },
    },
    services: { messaging: { serviceAccountAnnotations: role } },
  });
  const pods = Object.values(made).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  expect(pods).toHaveLength(9);
  for (const { spec } of pods as unknown as Workload[])
    expect(spec.template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }, { name: 'mirror' }],
      nodeSelector,
      tolerations,
    });
  expect(made['ServiceAccount messaging']!.metadata.annotations).toEqual(role);
  expect(made['ServiceAccount wallet']!.metadata.annotations).toBeUndefined();
  const annotations = made['Ingress gateway']!.metadata.annotations!;
  expect(annotations['haproxy.org/timeout-tunnel']).toBe('1h');
  expect(annotations).not.toHaveProperty(['nginx.ingress.kubernetes.io/proxy-body-size']);
});

test('the values set the replicas, the disruption budget, the resources and the volumes of a service', async () => {
  const made = await render({
    services: {
      wallet: {
        replicas: { min: 3, max: 9, cpu: '700m', maxUnavailable: 2 },
        resources: { cpu: '1', memory: '1Gi', memoryLimit: '2Gi' },
        uploads: '1Gi',
        volumes: { cache: '8Mi' },
      },
    },
  });
  expect(made['HorizontalPodAutoscaler wallet']).toMatchObject({
    spec: { minReplicas: 3, maxReplicas: 9, metrics: [{ resource: { target: { averageValue: '700m' } } }] },
  });
  expect(made['PodDisruptionBudget wallet']).toMatchObject({ spec: { maxUnavailable: 2 } });
  expect(made['Deployment wallet']).toMatchObject({
    spec: {
      template: {
        spec: {
          containers: [
            {
              resources: { requests: { cpu: 1, memory: '1Gi' }, limits: { memory: '2Gi' } },
              volumeMounts: [
                { name: 'cache', mountPath: '/cache' },
                { name: 'tmp', mountPath: '/tmp' },
              ],
            },
          ],
          volumes: [
            { name: 'cache', emptyDir: { sizeLimit: '8Mi' } },
            { name: 'tmp', emptyDir: { sizeLimit: '1Gi' } },
          ],
        },
      },
    },
  });
});

test('the values allow connections to servers outside the cluster', async () => {
  const rule = (cidr: string, port: number) => ({ to: [{ ipBlock: { cidr } }], ports: [{ port }] });
  const [database, mail] = [rule('10.0.8.0/24', 5432), rule('10.0.9.0/24', 25)];
  const made = await render({ egress: [database], services: { identity: { egress: [mail] } } });
  const rulesOf = (name: string) => (made[`NetworkPolicy ${name}`] as { spec: { egress: object[] } }).spec.egress;
  for (const name of [...NAMES, 'migrations']) expect(rulesOf(name)).toContainEqual(database);
  expect(rulesOf('identity')).toContainEqual(mail);
  expect(rulesOf('wallet')).not.toContainEqual(mail);
});

test('the values replace the ingress by a route of the Gateway API', async () => {
  const made = await render({
    ingress: { enabled: false, admin: false },
    route: { enabled: true, gateway: 'edge', namespace: 'edge-system', section: 'tls' },
  });
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
