import { ADDRESSES, known, NAMES, text } from './processes.ts';

/* The names of variables that the chart takes (deploy/helm/values.schema.json), by process. */

/** Values that must not be read in a ConfigMap. */
const SECRET =
  /^(DATABASE_URL|DATABASE_READ_URL|NATS_URL|REDIS_URL|SMTP_URL|FCM_SERVICE_ACCOUNT|ROOM_NAMESPACE|MIGRATION_.*|TRUSTED_KEYS|.*_(KEY|KEYS|SECRET|PASSWORD|TOKEN|CERTIFICATE))$/;

export const isSecret = (variable: string) => SECRET.test(variable);

/** Variables that Node, ICU and OpenTelemetry read; OTEL_*_HEADERS hold credentials. Helm's patterns are Go's. */
const PLATFORM = {
  pattern: '^(TZ|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|ICU_[A-Z_]+|OTEL_[A-Z_]+)$',
  not: { pattern: 'HEADERS$' },
};

const taken = (variables: string[]) => ({
  anyOf: [
    { enum: [...new Set(variables)].filter((name) => !isSecret(name)).sort() },
    { $ref: '#/definitions/platform' },
  ],
});

interface Schema {
  definitions: Record<string, { propertyNames?: object } | typeof PLATFORM>;
  properties: { services: { properties: Record<string, object> } };
}

/** The chart's schema with the variables that each process reads today, as text. */
export async function chartSchema(): Promise<string> {
  const schema = JSON.parse(await text('deploy/helm/values.schema.json')) as Schema;
  schema.definitions['platform'] = PLATFORM;
  Object.assign(schema.definitions['variables']!, { propertyNames: taken([...NAMES.flatMap(known), ...ADDRESSES]) });
  for (const name of NAMES)
    schema.properties.services.properties[name] = {
      allOf: [
        { $ref: '#/definitions/service' },
        { properties: { config: { propertyNames: taken([...known(name), ...ADDRESSES]) } } },
      ],
    };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
