import { expect, test } from '@jest/globals';
import { shortened } from '../src/messages/message.ts';

const FAMILY = '👩‍👩‍👧‍👦';
const FLAG = '🇨🇮';
const ENGLAND = '🏴󠁧󠁢󠁥󠁮󠁧󠁿';

test.each([
  ['160 characters', 'x'.repeat(160), 'x'.repeat(160)],
  ['160 emoji', '😀'.repeat(160), '😀'.repeat(160)],
  ['161 characters', 'x'.repeat(161), `${'x'.repeat(159)}…`],
  ['a family across the limit', `${'x'.repeat(155)}${FAMILY}yy`, `${'x'.repeat(155)}…`],
  ['families alone', FAMILY.repeat(50), `${FAMILY.repeat(22)}…`],
  ['flags', `x${FLAG.repeat(100)}`, `x${FLAG.repeat(79)}…`],
  ['the flag of a region', `${'x'.repeat(156)}${ENGLAND}`, `${'x'.repeat(156)}…`],
  ['a skin tone', `${'x'.repeat(158)}👍🏿${'x'.repeat(9)}`, `${'x'.repeat(158)}…`],
  ['an accent', `${'x'.repeat(158)}e\u0301${'x'.repeat(9)}`, `${'x'.repeat(158)}…`],
  ['one character with 9,999 accents', `e${'\u0301'.repeat(9_999)}`, `e${'\u0301'.repeat(158)}…`],
])('a notification is not cut inside a character: %s', (_what, text, cut) => {
  expect(shortened(text)).toBe(cut);
});
