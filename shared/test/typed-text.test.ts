import { expect, test } from '@jest/globals';
import { trimInvisible, normalizeCode } from '../kit/language/typed-text.ts';

const SCOTLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}';

test.each([
  ['blanks of any width', '\u00a0\u3000 Awa \t\r\n\u2003', 'Awa'],
  ['zero-width space, joiners and the byte order mark', '\ufeff\u200b\u200dAwa\u200c\u2060', 'Awa'],
  ['direction marks of a copied phone number', '\u202a+225 07 01\u202c', '+225 07 01'],
  ['a soft hyphen and a grapheme joiner', '\u00adAwa\u034f', 'Awa'],
  ['Hangul fillers and the Braille blank', '\u3164\u115f\u2800Awa\uffa0\u2800', 'Awa'],
  ['tags and selectors without a character', '\ufe0f\u{E0041}Awa', 'Awa'],
  ['blanks and invisible characters in turn', ' \u200b \u200bAwa\u200b \u200b ', 'Awa'],
  ['nothing visible', '\u200b\u3164 \u2800\ufe0f\u{E0041}', ''],
  ['an empty text', '', ''],
  ['joiners inside a word', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['joiners inside an emoji', '👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
  ['blanks inside', 'Awa \u200b Koné', 'Awa \u200b Koné'],
  ['a variation selector after its character', '\u200b❤\ufe0f ', '❤\ufe0f'],
  ['a selector of ideographs', '葛\u{E0100}\u200b', '葛\u{E0100}'],
  ['a second selector', '❤\ufe0f\ufe0f', '❤\ufe0f'],
  ['a selector after a letter that has no variations', 'example.com\ufe0f', 'example.com'],
  ['a selector behind a blank', '❤ \ufe0f', '❤'],
  ['the tags of a flag', ` ${SCOTLAND}\u200b`, SCOTLAND],
  ['the tags of a flag without an end', '\u{1F3F4}\u{E0067}\u{E0062}', '\u{1F3F4}'],
  ['tags after another character', 'A\u{E0067}\u{E0062}\u{E007F}', 'A'],
  ['half of a surrogate pair', ' \ud83d ', '\ud83d'],
])('text is trimmed: %s', (_name, given, expected) => {
  expect(trimInvisible(given)).toBe(expected);
});

test('a text of invisible characters is trimmed in linear time', () => {
  const long = `a${'\u200b'.repeat(1_000_000)}b`;
  expect(trimInvisible(`${long} `)).toBe(long);
  expect(trimInvisible('\u200b \u{E0041}'.repeat(250_000))).toBe('');
});

test.each([
  ['as it is', '012345', '012345'],
  ['blanks, also those that do not break', ' 012 3\u00a04\u202f5\u3000', '012345'],
  ['hyphens and dashes', '01-23\u201045\u2212', '012345'],
  ['full-width hyphens', '012\uff0d345', '012345'],
  ['format characters', '\u200e012\u200b345\u202c\u00ad', '012345'],
  ['Arabic digits', '٠١٢٣٤٥', '012345'],
  ['Persian digits', '۰۱۲۳۴۵', '012345'],
  ['full-width digits', '０１２３４５', '012345'],
  ['Bengali digits', '৬৭৮৯০১', '678901'],
  ['mathematical digits', '𝟎𝟗𝟘𝟡𝟶𝟿', '090909'],
  ['digits of two scripts', '٠1٢3٤5', '012345'],
  ['letters', 'k7qm-2XAB', 'k7qm2XAB'],
  ['other signs', '01.23+45', '01.23+45'],
  ['numbers that are no decimal digits', '①②Ⅲ½', '①②Ⅲ½'],
])('a code is normalized: %s', (_name, given, expected) => {
  expect(normalizeCode(given)).toBe(expected);
});
