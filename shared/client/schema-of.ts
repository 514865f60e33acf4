import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The TypeScript types of an OpenAPI document; the same document always gives the same text. */
export async function schemaOf(document: unknown): Promise<string> {
  const nodes = await openapiTS(document as OpenAPI3, { alphabetize: true });
  return `// Generated from the gateway's OpenAPI document by \`npm run generate -w shared/client\`; do not edit.\n\n${astToString(nodes)}`;
}
