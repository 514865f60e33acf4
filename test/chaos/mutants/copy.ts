import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const SOURCES = ['gateway', 'services', 'shared', 'dashboard/dist'];
const SKIPPED = new Set(['node_modules', 'test', 'coverage']);

/** A replacement of a text that the file has exactly once. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/** Throws unless the file has the text exactly once: a mutant that no longer breaks anything proves nothing. */
function apply(root: string, { file, from, to }: Edit): void {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

/** A copy of the product's sources with these edits; packages are those of this checkout. */
export function mutatedCopy(edits: readonly Edit[]): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'mutant-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    for (const folder of SOURCES)
      cpSync(join(REPOSITORY, folder), join(root, folder), {
        recursive: true,
        filter: (path) => !SKIPPED.has(basename(path)),
      });
    cpSync(join(REPOSITORY, 'package.json'), join(root, 'package.json'));
    const modules = join(root, 'node_modules');
    mkdirSync(join(modules, '@tutoring'), { recursive: true });
    for (const name of readdirSync(join(REPOSITORY, 'node_modules')))
      if (name !== '@tutoring') symlinkSync(join(REPOSITORY, 'node_modules', name), join(modules, name));
    for (const path of ['shared', 'gateway', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`)])
      symlinkSync(join(root, path), join(modules, '@tutoring', basename(path)));
    for (const edit of edits) apply(root, edit);
    return { root, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
