/* What the dashboard knows about the administrators' operations, from the gateway's OpenAPI document. */

type Node = Record<string, unknown> & { properties?: Record<string, Node>; $ref?: string };

interface Operation {
  'x-auth'?: string;
  'x-right'?: string;
  'x-or-right'?: string;
  requestBody?: { content?: Record<string, { schema?: Node }> };
  responses: Record<string, { content?: Record<string, { schema?: Node }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Node> };
}

/** Who may call: administrators need a right for `admin` and `member`. Nobody may do what is for people alone. */
const OPEN_TO_ADMINISTRATORS = ['public', 'member', 'admin', 'su'];
const PARTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** As in `x-right`: no right is needed. */
const ANY = 'any';

/** `su`, or the rights of which one is needed; none if there are none. */
function neededFor({ 'x-auth': auth, 'x-right': right = ANY, 'x-or-right': orRight }: Operation): string | string[] {
  if (auth === 'su') return auth;
  return [right, orRight].filter((name) => name !== undefined && name !== ANY) as string[];
}

const isMaskable = ({ 'x-auth': auth }: Operation) => auth === 'admin' || auth === 'member';

/** The contacts in an answer, as paths such as `data.user.email`; a list adds nothing to the path. */
function contactsIn(schema: Node, schemas: Record<string, Node>, within: readonly Node[] = []): string[] {
  const node = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (node === undefined || within.includes(node)) return [];
  if ('x-contact' in node) return [''];
  const inside = (part: unknown) => contactsIn(part as Node, schemas, [...within, node]);
  const named = Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
    inside(property).map((path) => (path === '' ? name : `${name}.${path}`)),
  );
  const parts = [node['items'], node['additionalProperties'], ...PARTS.flatMap((name) => node[name] ?? [])];
  const unnamed = parts.filter((part) => typeof part === 'object' && part !== null).flatMap(inside);
  return [...named, ...unnamed];
}

/** The contacts in the payload of a success. */
function contactsOf({ responses }: Operation, schemas: Record<string, Node>): string[] {
  const answers = Object.values(responses['200']?.content ?? {}).map(({ schema = {} }) => schema);
  const payloads = answers.flatMap((schema) =>
    ((schema['oneOf'] as Node[] | undefined) ?? [schema]).flatMap(({ properties }) => properties?.['data'] ?? []),
  );
  return [...new Set(payloads.flatMap((payload) => contactsIn(payload as Node, schemas)))].sort();
}

/** The path whose POST makes a batch of payouts. */
const PAYOUTS = '/api/admin/payout-batches';

/** The formats in which a batch can be made. */
function formatsIn({ paths, components: { schemas } }: Document): unknown[] {
  const body = paths[PAYOUTS]?.['post']?.requestBody?.content?.['application/json']?.schema ?? {};
  const schema = body.$ref === undefined ? body : schemas[body.$ref.split('/').at(-1) ?? ''];
  const formats = schema?.properties?.['format']?.['enum'];
  return Array.isArray(formats) ? formats : [];
}

const constant = (name: string, comment: string, entries: [string, unknown][]) =>
  `/** ${comment} */\nexport const ${name} = {\n${entries
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
    .join('')}} as const;\n`;

/** The text of `src/generated/operations.ts`; the same document always gives the same text. */
export function operationsOf(document: Document): string {
  const { paths, components } = document;
  const { schemas } = components;
  const all = Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    )
    .filter(([, operation]) => OPEN_TO_ADMINISTRATORS.includes(operation['x-auth'] ?? ''))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const contacts = all.flatMap(([name, operation]): [string, string[]][] => {
    // Nothing is masked for people and super administrators.
    const fields = isMaskable(operation) ? contactsOf(operation, schemas) : [];
    return fields.length === 0 ? [] : [[name, fields]];
  });
  return [
    "// Generated from the gateway's OpenAPI document by `npm run generate -w dashboard`; do not edit.",
    constant(
      'operations',
      'What administrators need: the level `su`, one of these rights, or none.',
      all.map(([name, operation]) => [name, neededFor(operation)]),
    ),
    constant('contacts', 'The fields of answers that are masked without the right `contacts`.', contacts),
    `/** The formats in which a batch of payouts can be made. */\nexport const payoutFormats = ${JSON.stringify(formatsIn(document))} as const;\n`,
  ].join('\n');
}
