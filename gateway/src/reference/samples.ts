type Json = Record<string, unknown>;

/** An example of `schema`, from the examples of its properties; `only` selects properties at the top. */
export function sampleOf(schema: unknown, components: Json, only?: (name: string) => boolean): unknown {
  const node = (schema ?? {}) as Json & { properties?: Json; items?: Json; $ref?: string };
  if (node.$ref) return sampleOf(components[node.$ref.split('/').at(-1) ?? ''], components, only);
  if ('const' in node) return node['const'];
  if ('example' in node) return node['example'];
  const values = (node['examples'] ?? node['enum']) as unknown[] | undefined;
  if (values) return values[0];
  if (node.properties) {
    const shown = Object.entries(node.properties).filter(([name]) => only?.(name) ?? true);
    return Object.fromEntries(shown.map(([name, property]) => [name, sampleOf(property, components)]));
  }
  const options = (node['oneOf'] ?? node['anyOf'] ?? node['allOf']) as unknown[] | undefined;
  if (options) return sampleOf(options[0], components);
  if (node['type'] === 'array') return node.items && !('not' in node.items) ? [sampleOf(node.items, components)] : [];
  return node['type'] === 'object' ? {} : undefined;
}

/** An example of a request body without one of its own: the required fields; all fields where none is required. */
export function requestSample(schema: unknown, components: Json): unknown {
  const { required, example } = schema as { required?: string[]; example?: unknown };
  if (example !== undefined) return example;
  return sampleOf(schema, components, required && ((name) => required.includes(name)));
}
