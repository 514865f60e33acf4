import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root, text } from './processes.ts';

const filesIn = async (folder: string) =>
  (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
const files = [
  ...(await filesIn('deploy')),
  ...(await filesIn('docs')),
  'README.md',
  'ARCHITECTURE.md',
  'docker-compose.yml',
].filter((file) => /\.(md|yaml|yml|conf|sh|mjs|ts)$|Dockerfile$/.test(file));

const FOLDERS = ['', 'deploy/kubernetes/', 'deploy/'];

const FOLDER =
  /(?:(?:gateway|dashboard|shared|services\/\w+)\/)?(?:deploy|docs|test|bench|operators|first-look|compose)/;
const SOURCE = /(?:gateway|dashboard|services\/\w+)\/src|shared\/(?:contract|kit|testing)/;
const PATH = new RegExp(
  `\\b(?:${FOLDER.source}|${SOURCE.source})(?:\\/[\\w.-]+)+\\.(?:ya?ml|sh|mjs|tsx?|json|md|conf)\\b`,
  'g',
);

test.each(files)('%s mentions only files that exist', async (file) => {
  const named = [...(await text(file)).matchAll(PATH)].map(([name]) => name);
  const exists = (name: string) => FOLDERS.some((folder) => existsSync(join(root, folder, name)));
  expect(named.filter((name) => !exists(name))).toEqual([]);
});
