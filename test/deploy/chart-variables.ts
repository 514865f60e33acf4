import { ADDRESSES, variablesOf, NAMES, text } from './processes.ts';

/* The names of the variables that the chart accepts for each process (deploy/helm/values.schema.json). */

/** Variables with secret values, which must not be in a ConfigMap. */
const SECRET =
  /^(DATABASE_URL|DATABASE_READ_URL|NATS_URL|REDIS_URL|SMTP_URL|FCM_SERVICE_ACCOUNT|ROOM_NAMESPACE|MIGRATION_.*|TRUSTED_KEYS|.*_(KEY|KEYS|SECRET|PASSWORD|TOKEN|CERTIFICATE))$/;

export const isSecret = (variable: string) => SECRET.test(variable);

/**
 * Variables of Node, ICU and OpenTelemetry, without OTEL_*_HEADERS, which hold credentials. Helm uses Go's patterns.
 */
const PLATFORM = {
  pattern: '^(TZ|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|ICU_[A-Z_]+|OTEL_[A-Z_]+)$',
  not: { pattern: 'HEADERS$' },
};

const accepted = (variables: string[]) => ({
  anyOf: [
    { enum: [...new Set(variables)].filter((name) => !isSecret(name)).sort() },
    { $ref: '#/definitions/platform' },
  ],
});

interface Schema {
  definitions: Record<string, { propertyNames?: object } | typeof PLATFORM>;
  properties: { services: { properties: Record<string, object> } };
}

/** The text of the chart's schema with the variables that each process reads. */
export async function chartSchema(): Promise<string> {
  const schema = JSON.parse(await text('deploy/helm/values.schema.json')) as Schema;
  schema.definitions['platform'] = PLATFORM;
  Object.assign(schema.definitions['variables']!, {
    propertyNames: accepted([...NAMES.flatMap(variablesOf), ...ADDRESSES]),
  });
  for (const name of NAMES)
    schema.properties.services.properties[name] = {
      allOf: [
        { $ref: '#/definitions/service' },
        { properties: { config: { propertyNames: accepted([...variablesOf(name), ...ADDRESSES]) } } },
      ],
    };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
