import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');
/** The paths that production needs. */
export const SOURCES = ['gateway', 'services', 'shared', 'dashboard/dist', 'package.json'];

export interface Checkout {
  root: string;
  remove: () => void;
}

/** A temporary folder with sources that `fill` puts there, and the npm packages of this checkout. */
export function checkout(name: string, fill: (root: string) => void): Checkout {
  const root = mkdtempSync(join(tmpdir(), `${name}-`));
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    fill(root);
    const modules = join(root, 'node_modules');
    mkdirSync(join(modules, '@tutoring'), { recursive: true });
    for (const entry of readdirSync(join(REPOSITORY, 'node_modules')))
      if (entry !== '@tutoring') symlinkSync(join(REPOSITORY, 'node_modules', entry), join(modules, entry));
    for (const path of ['shared', 'gateway', ...readdirSync(join(root, 'services')).map((each) => `services/${each}`)])
      symlinkSync(join(root, path), join(modules, '@tutoring', basename(path)));
    return { root, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The sources of a commit of this repository. */
export const releaseOf = (commit: string): Checkout =>
  checkout('release', (root) => {
    const archive = execFileSync('git', ['-C', REPOSITORY, 'archive', commit, ...SOURCES], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', root], { input: archive });
  });
