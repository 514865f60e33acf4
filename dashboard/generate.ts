/** `npm run generate -w dashboard -- <base url>`: writes src/generated/operations.ts from a running gateway's document. */
import { mkdir, writeFile } from 'node:fs/promises';
import { operationsOf, type Document } from './operations-of.ts';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const response = await fetch(`${base}/api/openapi.json`);
if (!response.ok) throw new Error(`${base} answered ${response.status}`);
const folder = new URL('src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('operations.ts', folder), operationsOf((await response.json()) as Document));
