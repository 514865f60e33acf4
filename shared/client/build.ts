/** `npm pack` runs it: JavaScript and types in `dist`, for ESM and for CommonJS. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

const folder = new URL('dist/', import.meta.url);
const FORMATS = [
  { name: 'esm', type: 'module', options: ['--module', 'esnext'] },
  // Checked as ESM: the types of openapi-fetch for CommonJS cannot be read.
  { name: 'cjs', type: 'commonjs', options: ['--module', 'commonjs', '--noCheck'] },
];

rmSync(folder, { recursive: true, force: true });
for (const { name, type, options } of FORMATS) {
  const args = ['-p', 'tsconfig.build.json', '--outDir', `dist/${name}`, ...options];
  execFileSync('tsc', args, { cwd: import.meta.dirname, stdio: 'inherit' });
  writeFileSync(new URL(`${name}/package.json`, folder), JSON.stringify({ type }));
}
