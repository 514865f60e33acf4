import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operatorFile } from './environment.ts';

/* `npm run admin -- list`: identity's command for operators, beside the stack that runs on DATA_DIR. */

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env['DATA_DIR'] || '.data');
const file = operatorFile(dataDir);

if (existsSync(file)) {
  const env = { ...(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>), LOG_LEVEL: 'warn' };
  const entry = resolve(root, 'services/identity/src/main.ts');
  const run = spawnSync(process.execPath, [entry, 'admin', ...process.argv.slice(2)], { env, stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} else {
  console.error(`No stack runs on ${dataDir}: start it with npm start, or name its folder with DATA_DIR.`);
  process.exitCode = 1;
}
