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

/** Made by an operator, not in the repository. */
const MADE = ['overlays/first-look/secrets.yaml'];
const FOLDERS = ['', 'deploy/kubernetes/', 'deploy/'];

test.each(files)('%s names files that exist', async (file) => {
  const path =
    /\b(?:(?:gateway|dashboard|shared|services\/\w+)\/)?(?:deploy|docs|test|bench|operators|overlays|compose)(?:\/[\w.-]+)+\.(?:ya?ml|sh|mjs|ts|json|md|conf)\b/g;
  const named = [...(await text(file)).matchAll(path)].map(([name]) => name);
  const exists = (name: string) => FOLDERS.some((folder) => existsSync(join(root, folder, name)));
  expect(named.filter((name) => !exists(name) && !MADE.some((made) => name.endsWith(made)))).toEqual([]);
});
