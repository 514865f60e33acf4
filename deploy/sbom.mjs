// Prints the software bill of materials (CycloneDX) of an image from the lock file: a package and its dependencies.
//   node deploy/sbom.mjs services/wallet > wallet.cdx.json
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2];
if (!folder) {
  console.error('usage: sbom.mjs <folder of the package>');
  process.exit(1);
}
const { name, version } = JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8'));
// The gateway's image contains the built dashboard with its bundled libraries.
const BUILT_INTO = { gateway: ['dashboard'] };
const built = BUILT_INTO[folder] ?? [];
// Not `--omit dev`: npm would also omit dependencies that development needs, too, such as pg.
const args = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  ...[folder, ...built].flatMap((path) => ['--workspace', path]),
  '--package-lock-only',
];
const run = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (run.status !== 0) {
  console.error(run.stderr ?? run.error?.message);
  process.exit(1);
}
const bill = JSON.parse(run.stdout);

const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'));
/** Production dependencies of each package of the repository. */
const ours = new Map(
  Object.entries(packages)
    .filter(([path]) => path !== '' && !path.includes('node_modules/'))
    .map(([, { name, version, dependencies }]) => [`${name}@${version}`, Object.keys(dependencies ?? {})]),
);
const nameOf = (ref) => ref.replace(/(?<=.)@.*$/, '');

// npm lists the whole repository, including workspaces and tools that the package does not use: keeps only reachable
// ones.
const needs = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const reached = new Set();
const visit = (ref) => {
  if (reached.has(ref)) return;
  reached.add(ref);
  const brought = ours.get(ref);
  for (const next of needs.get(ref) ?? []) if (!brought || brought.includes(nameOf(next))) visit(next);
};
const itself = `${name}@${version}`;
visit(itself);
for (const other of built) visit(`${packages[other].name}@${packages[other].version}`);
const isReached = (component) => reached.has(component['bom-ref']);
const [component] = bill.components.filter((one) => one['bom-ref'] === itself);
const components = bill.components.filter((one) => isReached(one) && one !== component);
const dependencies = bill.dependencies.filter(({ ref }) => reached.has(ref));
const metadata = { ...bill.metadata, component: { ...component, name, type: 'application' } };
console.log(JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2));
