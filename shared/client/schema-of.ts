import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

interface Keyed {
  paths: Record<string, { post?: { parameters?: { name?: string }[] } }>;
}

/** The paths whose POST takes an `Idempotency-Key`. */
const keyedPaths = (document: unknown) =>
  Object.entries((document as Keyed).paths)
    .filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'Idempotency-Key'))
    .map(([path]) => path)
    .sort();

/** The TypeScript types of an OpenAPI document; the same document always gives the same text. */
export async function schemaOf(document: unknown): Promise<string> {
  const nodes = await openapiTS(document as OpenAPI3, { alphabetize: true });
  const heading = `// Generated from the gateway's OpenAPI document by \`npm run generate -w shared/client\`; do not edit.`;
  const keyed = `/** Paths whose POST takes an \`Idempotency-Key\`. */\nexport const idempotentPaths: (keyof paths)[] = ${JSON.stringify(keyedPaths(document), null, 4)};\n`;
  return `${heading}\n\n${astToString(nodes)}${keyed}`;
}
