import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

interface Answer {
  $ref?: string;
  headers?: unknown;
  content?: Record<string, { schema?: { $ref?: string; oneOf?: { $ref?: string }[] } }>;
}

interface Operation {
  parameters?: { name?: string }[];
  responses: Record<string, Answer>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer> };
}

/** The paths whose POST takes an `Idempotency-Key`. */
const keyedPaths = ({ paths }: Document) =>
  Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'Idempotency-Key'))
    .map(([path]) => path)
    .sort();

/** A copy of a part of the document, without examples. The keys of `properties` are names of fields. */
function withoutExamples(node: unknown, isProperties = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutExamples(item));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => isProperties || (key !== 'example' && key !== 'examples'));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutExamples(value, !isProperties && key === 'properties')]),
  );
}

const nameOf = ({ $ref }: { $ref?: string }) => $ref?.split('/').at(-1) ?? '';

/** Removes the headers of answers, and makes each refusal that operations share a component of its own. */
function shareRefusals({ paths, components }: Document): void {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const answer of Object.values(components.responses)) delete answer.headers;
  for (const { responses } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      delete answer.headers;
      const schema = answer.content?.['application/json']?.schema;
      if (!schema || Number(status) < 400) continue;
      const name = `Refusal${status}${(schema.oneOf ?? [schema]).map(nameOf).join('Or')}`;
      components.responses[name] = answer;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
}

/** Lines of openapi-typescript that say what is absent or is said by the type itself. */
const SUPERFLUOUS = [
  /^ +(?:options|head|patch|trace|cookie)\?: never;\n/gm,
  /^ {8}parameters: \{\n(?: +\w+\?: never;\n)+ {8}\};\n(?= {8}(?:\/\*\*|get|put|post|delete|requestBody:))/gm,
  /^ {8}(?:get|put|post|delete)\?: never;\n/gm,
  /^ {12}(?:query|header|path)\?: never;\n/gm,
  /^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm,
  /^ +\/\*\* @constant \*\/\n/gm,
  /^ +\/\*\* .*\n(?= +200: \{\n +content\?: never;)/gm,
  /(?<=statusCode: \d+;)\n +(?=success: true;)/g,
  /^ +\/\*\* .*\n(?= +"X-Envelope"\?: components)/gm,
];

/** A block with one member, which is no block itself. */
const ONE_MEMBER = /\{\n +((?!\/\*\*|\})\S[^\n]*;)\n +\}(?=[;[])/g;
const MAX_MEMBER = 100;
/** From the innermost blocks outwards. */
const PASSES = 3;

/** Writes each block with one short member in one line. */
const inOneLine = (text: string) =>
  text.replaceAll(ONE_MEMBER, (block, member: string) => (member.length <= MAX_MEMBER ? `{ ${member} }` : block));

/** The TypeScript types of an OpenAPI document; the same document always gives the same text. */
export async function schemaOf(reference: unknown): Promise<string> {
  const document = withoutExamples(reference) as Document;
  shareRefusals(document);
  const nodes = await openapiTS(document as unknown as OpenAPI3, { alphabetize: true });
  const shorter = SUPERFLUOUS.reduce((text, pattern) => text.replace(pattern, ''), astToString(nodes));
  const types = Array.from({ length: PASSES }).reduce<string>(inOneLine, shorter);
  const heading = `// Generated from the gateway's OpenAPI document by \`npm run generate -w shared/client\`; do not edit.`;
  const keyed = `/** Paths whose POST takes an \`Idempotency-Key\`. */\nexport const idempotentPaths: (keyof paths)[] = ${JSON.stringify(keyedPaths(document), null, 4)};\n`;
  return `${heading}\n\n${types}${keyed}`;
}
