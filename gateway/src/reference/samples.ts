type Json = Record<string, unknown>;

/** Fields of requests that are not required and yet belong into an example. */
const WORTH_SHOWING: Record<string, string[]> = {
  postAuthRegister: ['password', 'experience', 'bio'],
  postAuthLogin: ['email', 'password', 'gauth_type', 'platform', 'device_key'],
  postAuthGetToken: ['device_key'],
  putMe: ['address', 'city', 'country', 'about_me', 'bio'],
  deleteMe: ['password'],
  postDeposits: ['method'],
  postRoomsUuidMessages: ['message', 'type'],
  postSupportMessages: ['message', 'type'],
  postAdminRoomsUuidMessages: ['message', 'type'],
};

/** Which of several values tells most. */
const TYPICAL: unknown[] = ['success', 'ended', 'unread'];

/** An example of what `schema` describes, from the examples of its properties; `only` picks properties at the top. */
export function sampleOf(schema: unknown, components: Json, only?: (name: string) => boolean): unknown {
  const node = (schema ?? {}) as Json & { properties?: Json; items?: Json; $ref?: string };
  if (node.$ref) return sampleOf(components[node.$ref.split('/').at(-1) ?? ''], components, only);
  if ('const' in node) return node['const'];
  const examples = (node['examples'] ?? node['enum']) as unknown[] | undefined;
  if (examples) return examples.find((value) => TYPICAL.includes(value)) ?? examples[0];
  if ('example' in node) return node['example'];
  if (node.properties) {
    const shown = Object.entries(node.properties).filter(([name]) => only?.(name) ?? true);
    return Object.fromEntries(shown.map(([name, property]) => [name, sampleOf(property, components)]));
  }
  const options = (node['oneOf'] ?? node['anyOf'] ?? node['allOf']) as unknown[] | undefined;
  if (options) return sampleOf(options[0], components);
  if (node['type'] === 'array') return node.items && !('not' in node.items) ? [sampleOf(node.items, components)] : [];
  return node['type'] === 'object' ? {} : undefined;
}

/** An example of a request body: what is required and worth showing; everything where nothing is required. */
export function requestSample(operationId: string, schema: unknown, components: Json): unknown {
  const required = (schema as { required?: string[] } | undefined)?.required;
  const shown = [...(required ?? []), ...(WORTH_SHOWING[operationId] ?? [])];
  return sampleOf(schema, components, shown.length > 0 ? (name) => shown.includes(name) : undefined);
}
