import { describe, expect, test } from '@jest/globals';
import { isolated, isolatedValues } from '../src/i18n/direction.ts';
import { readNumber, writeNumber } from '../src/i18n/number.ts';
import { changeOf, meanOf } from '../src/overview/period.ts';

const NARROW = '\u202f';
const NO_BREAK = '\u00a0';

describe('a number is read in the format of the administrator’s region', () => {
  test.each([
    ['digits alone', '1500', ['en-GB'], 0, 1500],
    ['zero', '0', ['en-GB'], 0, 0],
    ['surrounding spaces', ' 1500\t', ['en-GB'], 0, 1500],
    ['English groups', '1,500', ['en-GB'], 0, 1500],
    ['two English groups', '1,234,567', ['en-US'], 0, 1_234_567],
    ['French groups with a narrow no-break space', `1${NARROW}500`, ['fr'], 0, 1500],
    ['French groups with a no-break space', `1${NO_BREAK}500`, ['fr-FR'], 0, 1500],
    ['French groups with a space', '1 234 567', ['fr'], 0, 1_234_567],
    ['groups of the language when the region has others', '1,500', ['en', 'de-DE'], 0, 1500],
    ['groups of the region when the language has others', '1.500', ['en', 'de-DE'], 0, 1500],
    ['Swiss groups, with the apostrophe of a keyboard', "1'500", ['fr', 'de-CH'], 0, 1500],
    ['Indian groups', '1,50,000', ['en-IN'], 0, 150_000],
    ['Spanish groups of four digits', '1.500', ['es-ES'], 0, 1500],
    ['Arabic digits', '١٥٠٠', ['en'], 0, 1500],
    ['Arabic digits and groups', '١٬٥٠٠', ['en', 'ar-EG'], 0, 1500],
    ['Persian digits', '۱۵۰۰', ['fr'], 0, 1500],
    ['full-width digits', '１５００', ['en'], 0, 1500],
    ['bold mathematical digits', '𝟏𝟓𝟎𝟎', ['en'], 0, 1500],
    ['directional marks', '\u200e1500\u200f', ['en'], 0, 1500],
    ['hundredths', '12.50', ['en-GB'], 2, 1250],
    ['a tenth', '12.5', ['en-GB'], 2, 1250],
    ['French hundredths', '12,50', ['fr'], 2, 1250],
    ['groups and hundredths', '1,234.56', ['en'], 2, 123_456],
    ['French groups and hundredths', `1${NARROW}234,56`, ['fr'], 2, 123_456],
    ['whole units of a currency with hundredths', '12', ['fr'], 2, 1200],
    ['thousandths', '1.500', ['en'], 3, 1500],
    ['the largest safe number', '9007199254740991', ['en'], 0, Number.MAX_SAFE_INTEGER],
  ])('%s: %j', (_name, text, regions, digits, value) => {
    expect(readNumber(text, regions, digits)).toBe(value);
  });
});

describe('an invalid or ambiguous text is not read as a number', () => {
  test.each([
    ['an empty text', '', ['en'], 0],
    ['only spaces', ` ${NARROW} `, ['fr'], 0],
    ['a word', 'all', ['en'], 0],
    ['a currency', '1500 XOF', ['en'], 0],
    ['a currency symbol', '€12', ['en'], 2],
    ['percent', '10 %', ['fr'], 0],
    ['percent without a space', '10%', ['en'], 0],
    ['a fraction of a whole unit', '1.5', ['en'], 0],
    ['thousands of another region', '1.500', ['en-GB'], 0],
    ['thousands of another region, in French', '1,500', ['fr-FR'], 0],
    ['zeros after the decimal sign of a whole unit', '1500.00', ['en'], 0],
    ['three digits where a currency has two', '1.500', ['en'], 2],
    ['a decimal sign without digits', '12.', ['en'], 2],
    ['two decimal signs', '1.2.3', ['en'], 2],
    ['groups of two digits', '1,50', ['en'], 0],
    ['groups of four digits', '1,5000', ['en'], 0],
    ['a first group without digits', ',500', ['en'], 0],
    ['a group that begins with zero', '0,500', ['en'], 0],
    ['mixed groups', '1,234 567', ['en'], 0],
    ['a space where the region writes commas', '1 500', ['en'], 0],
    ['a text that two regions read differently', '1.500', ['en', 'de-DE'], 3],
    ['a negative number', '-5', ['en'], 0],
    ['a plus sign', '+5', ['en'], 0],
    ['an exponent', '1e3', ['en'], 0],
    ['hexadecimal', '0x10', ['en'], 0],
    ['a superscript', '10²', ['en'], 0],
    ['infinity', 'Infinity', ['en'], 0],
    ['more than the largest safe integer', '9007199254740992', ['en'], 0],
    ['many digits', '1'.repeat(400), ['en'], 0],
  ])('%s: %j', (_name, text, regions, digits) => {
    expect(readNumber(text, regions, digits)).toBeUndefined();
  });
});

test.each([
  [1500, 'en-GB', 0, '1500'],
  [150_050, 'en-GB', 2, '1500.50'],
  [150_050, 'fr-FR', 2, '1500,50'],
  [1500, 'ar-EG', 0, '١٥٠٠'],
])('a field shows %i in %s with %i decimals in a form that is read back', (value, region, digits, text) => {
  expect(writeNumber(value, region, digits)).toBe(text);
  expect(readNumber(text, [region], digits)).toBe(value);
});

test('the mean rating is weighted by reviews, and is undefined without reviews, like its change', () => {
  const day = (rating: number, reviews: number) => ({ rating, reviews }) as Parameters<typeof meanOf>[0][number];
  expect(meanOf([day(4, 1), day(5, 3), day(0, 0)])).toBe(4.75);
  expect(meanOf([day(0, 0)])).toBeUndefined();
  expect([changeOf(undefined, 4), changeOf(4, undefined), changeOf(0, 4)]).toEqual([undefined, undefined, -100]);
});

test('right-to-left values of a message are isolated, and other values are unchanged', () => {
  expect(isolatedValues({ name: 'عمر (1)', other: 'Awa', count: 3 })).toEqual({
    name: '\u2068عمر (1)\u2069',
    other: 'Awa',
    count: 3,
  });
  expect(['Zoë', '日本', 'שלום'].map(isolated)).toEqual(['Zoë', '日本', '\u2068שלום\u2069']);
});
