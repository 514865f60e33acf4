import { expect, test } from '@jest/globals';
import { shortened } from '../src/shared/text/shortened.ts';

const FAMILY = '👩‍👩‍👧‍👦';
const FLAG = '🇨🇮';

test.each([
  ['a short text', 'x'.repeat(140), 'x'.repeat(140)],
  ['a long text', 'x'.repeat(141), `${'x'.repeat(139)}…`],
  ['a family across the limit', `${'x'.repeat(130)}${FAMILY}${'x'.repeat(20)}`, `${'x'.repeat(130)}…`],
  ['a flag across the limit', `${'x'.repeat(137)}${FLAG}${FLAG}`, `${'x'.repeat(137)}…`],
  ['an accent across the limit', `${'x'.repeat(138)}e\u0301${'x'.repeat(9)}`, `${'x'.repeat(138)}…`],
  ['a single grapheme cluster longer than the limit', `e${'\u0301'.repeat(500)}`, `e${'\u0301'.repeat(138)}…`],
])('a text is cut between grapheme clusters: %s', (_what, text, cut) => {
  expect(shortened(text, 140)).toBe(cut);
});
