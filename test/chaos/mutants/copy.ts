import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkout, REPOSITORY, SOURCES, type Checkout } from '../stack/checkout.ts';

const SKIPPED = new Set(['node_modules', 'test', 'coverage']);

/** Replaces a text that occurs exactly once in the file. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/**
 * The edited text of the file. Throws unless the text to replace occurs exactly once: a mutant without effect proves
 * nothing.
 */
export function mutated(root: string, { file, from, to }: Edit): string {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.split(from).length - 1;
  if (found !== 1)
    throw new Error(`${file} must contain this text once, not ${found} times; update the mutant: ${from}`);
  return text.replace(from, () => to);
}

/** Copies the product's sources and applies the edits. */
export const mutatedCopy = (edits: readonly Edit[]): Checkout =>
  checkout('mutant', (root) => {
    const filter = (path: string) => !SKIPPED.has(basename(path));
    for (const path of SOURCES) cpSync(join(REPOSITORY, path), join(root, path), { recursive: true, filter });
    for (const edit of edits) writeFileSync(join(root, edit.file), mutated(root, edit));
  });
