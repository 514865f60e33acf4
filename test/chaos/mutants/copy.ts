import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkout, REPOSITORY, SOURCES, type Checkout } from '../stack/checkout.ts';

const SKIPPED = new Set(['node_modules', 'test', 'coverage']);

/** A replacement of a text that the file has exactly once. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/**
 * The file with the edit. Throws unless it has the text exactly once: a mutant that no longer breaks anything proves
 * nothing.
 */
export function mutated(root: string, { file, from, to }: Edit): string {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times: ${from}`);
  return text.replace(from, () => to);
}

/** A copy of the product's sources with these edits. */
export const mutatedCopy = (edits: readonly Edit[]): Checkout =>
  checkout('mutant', (root) => {
    const filter = (path: string) => !SKIPPED.has(basename(path));
    for (const path of SOURCES) cpSync(join(REPOSITORY, path), join(root, path), { recursive: true, filter });
    for (const edit of edits) writeFileSync(join(root, edit.file), mutated(root, edit));
  });
