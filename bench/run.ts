import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * `npm run bench -- <name> [options]`: runs bench/<name>.ts, which prints its figures. Without a name, lists the names.
 */
const [name, ...args] = process.argv.slice(2);
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((file) => /^export (async function|const) run\b/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
  .map((file) => basename(file, '.ts'))
  .sort();
const usage = `usage: npm run bench -- ${names.join(' | ')}`;
if (!name) {
  console.log(usage);
  process.exit();
}
if (!names.includes(name)) {
  console.error(usage);
  process.exit(1);
}
const bench = (await import(`./${name}.ts`)) as { run: (args: string[]) => Promise<void> };
await bench.run(args);
