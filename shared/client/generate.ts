/** `npm run generate -w shared/client -- <base url>`: writes src/generated/schema.ts from a running gateway's OpenAPI document. */
import { mkdir, writeFile } from 'node:fs/promises';
import { schemaOf } from './schema-of.ts';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const response = await fetch(`${base}/api/openapi.json`);
if (!response.ok) throw new Error(`${base} answered ${response.status}`);
const folder = new URL('src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('schema.ts', folder), await schemaOf(await response.json()));
