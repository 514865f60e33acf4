import { expect, test } from '@jest/globals';
import { REPOSITORY } from '../stack/checkout.ts';
import { mutated } from './copy.ts';
import { MUTANTS } from './mutants.ts';

test.each(Object.entries(MUTANTS))(
  'the sources still contain the text that the mutant "%s" replaces',
  (_name, { edits }) => {
    for (const edit of edits) expect(mutated(REPOSITORY, edit)).toContain(edit.to);
  },
);
