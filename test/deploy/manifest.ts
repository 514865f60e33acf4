import { z } from 'zod';

/*
 * Schemas of the Kubernetes objects in deploy/helm and deploy/kubernetes/first-look, as strict as the API server: a misspelt or misplaced field
 * already fails in tests.
 */

const name = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/);
const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({ name, namespace: name.optional(), labels, annotations: labels.optional() });
const expression = z.strictObject({ key: z.string(), operator: z.enum(['In']), values: z.array(name).min(1) });
const selector = z.strictObject({ matchLabels: labels.optional(), matchExpressions: z.array(expression).optional() });
const amount = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const amounts = z.strictObject({ cpu: z.union([amount, z.int()]).optional(), memory: amount });
const reference = z.strictObject({ name });

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.union([z.string(), z.int()]) }).optional(),
  exec: z.strictObject({ command: z.array(z.string()) }).optional(),
  tcpSocket: z.strictObject({ port: z.string() }).optional(),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int(),
});

const confined = {
  image: z.string(),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
};

const container = z.strictObject({
  name,
  ...confined,
  imagePullPolicy: z.literal('IfNotPresent'),
  args: z.array(z.string()).optional(),
  ports: z.array(z.strictObject({ name, containerPort: z.int() })).optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  envFrom: z.array(z.strictObject({ secretRef: reference })),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string() })).optional(),
});

const volume = z.strictObject({
  name,
  emptyDir: z.strictObject({ sizeLimit: amount }).optional(),
  configMap: z.strictObject({ name, defaultMode: z.int().optional() }).optional(),
});

const pod = z.strictObject({
  metadata: z.strictObject({ labels, annotations: labels.optional() }),
  spec: z.strictObject({
    serviceAccountName: name.optional(),
    imagePullSecrets: z.array(reference).optional(),
    nodeSelector: labels.optional(),
    tolerations: z
      .array(
        z.strictObject({
          key: z.string().optional(),
          operator: z.enum(['Exists', 'Equal']),
          value: z.string().optional(),
          effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
        }),
      )
      .optional(),
    automountServiceAccountToken: z.literal(false),
    enableServiceLinks: z.literal(false),
    restartPolicy: z.literal('Never').optional(),
    terminationGracePeriodSeconds: z.int().optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int().min(1),
      runAsGroup: z.int().min(1),
      fsGroup: z.int().optional(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.int(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
          labelSelector: selector,
          matchLabelKeys: z.array(z.string()),
        }),
      )
      .optional(),
    containers: z.tuple([container]),
    volumes: z.array(volume).optional(),
  }),
});

const object = <Kind extends string, Shape extends z.ZodRawShape>(apiVersion: string, kind: Kind, shape: Shape) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, ...shape });

const scaling = z.strictObject({
  stabilizationWindowSeconds: z.int(),
  policies: z.array(z.strictObject({ type: z.enum(['Pods', 'Percent']), value: z.int(), periodSeconds: z.int() })),
});

const peer = z.union([
  z.strictObject({ podSelector: selector }),
  z.strictObject({ namespaceSelector: selector }),
  z.strictObject({ ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }) }),
]);
const path = z.strictObject({ type: z.literal('PathPrefix'), value: z.string() });
const ports = z.array(z.strictObject({ protocol: z.literal('UDP').optional(), port: z.union([z.string(), z.int()]) }));

export const manifest = z.discriminatedUnion('kind', [
  object('v1', 'Namespace', {}),
  object('v1', 'ServiceAccount', { automountServiceAccountToken: z.literal(false) }),
  object('v1', 'Secret', { stringData: z.record(z.string(), z.string()) }),
  object('v1', 'ConfigMap', { data: z.record(z.string(), z.string()) }),
  object('v1', 'Service', {
    spec: z.strictObject({
      selector: labels,
      ports: z.array(z.strictObject({ name, port: z.int(), targetPort: z.string() })),
    }),
  }),
  object('apps/v1', 'Deployment', {
    spec: z.strictObject({
      revisionHistoryLimit: z.int(),
      minReadySeconds: z.int(),
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxSurge: z.int(), maxUnavailable: z.literal(0) }),
      }),
      selector,
      template: pod,
    }),
  }),
  object('apps/v1', 'StatefulSet', {
    spec: z.strictObject({
      serviceName: name,
      replicas: z.literal(1),
      selector,
      template: pod,
      volumeClaimTemplates: z
        .array(
          z.strictObject({
            metadata: z.strictObject({ name }),
            spec: z.strictObject({
              accessModes: z.array(z.literal('ReadWriteOnce')),
              resources: z.strictObject({ requests: z.strictObject({ storage: amount }) }),
            }),
          }),
        )
        .optional(),
    }),
  }),
  object('batch/v1', 'Job', {
    spec: z.strictObject({
      backoffLimit: z.int(),
      activeDeadlineSeconds: z.int(),
      ttlSecondsAfterFinished: z.int(),
      template: pod,
    }),
  }),
  object('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment'), name }),
      minReplicas: z.int().min(1),
      maxReplicas: z.int().min(1),
      metrics: z.array(
        z.strictObject({
          type: z.literal('Resource'),
          resource: z.strictObject({
            name: z.enum(['cpu', 'memory']),
            target: z.strictObject({ type: z.literal('AverageValue'), averageValue: amount }),
          }),
        }),
      ),
      behavior: z.strictObject({ scaleDown: scaling, scaleUp: scaling.optional() }),
    }),
  }),
  object('policy/v1', 'PodDisruptionBudget', {
    spec: z.strictObject({ maxUnavailable: z.int(), unhealthyPodEvictionPolicy: z.literal('AlwaysAllow'), selector }),
  }),
  object('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: z.strictObject({
      podSelector: selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.array(z.strictObject({ from: z.array(peer).min(1), ports })).optional(),
      egress: z.array(z.strictObject({ to: z.array(peer).min(1), ports })).optional(),
    }),
  }),
  object('networking.k8s.io/v1', 'Ingress', {
    spec: z.strictObject({
      ingressClassName: name,
      tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: name })),
      rules: z.array(
        z.strictObject({
          host: z.string(),
          http: z.strictObject({
            paths: z.array(
              z.strictObject({
                path: z.string(),
                pathType: z.enum(['Prefix', 'Exact']),
                backend: z.strictObject({
                  service: z.strictObject({ name, port: z.strictObject({ name }) }),
                }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', {
    spec: z.strictObject({
      parentRefs: z.tuple([z.strictObject({ name, namespace: name, sectionName: name })]),
      hostnames: z.array(z.string()),
      rules: z.array(
        z.strictObject({
          matches: z.array(z.strictObject({ path })),
          timeouts: z.strictObject({ request: z.string().regex(/^\d+s$/) }),
          backendRefs: z.tuple([z.strictObject({ name, port: z.int() })]),
        }),
      ),
    }),
  }),
]);

export type Peer = z.infer<typeof peer>;
export type Manifest = z.infer<typeof manifest>;
export type Kind = Manifest['kind'];
export type Of<K extends Kind> = Extract<Manifest, { kind: K }>;
