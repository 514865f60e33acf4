/* Numbers as people of a region write them: `en-GB`, `fr`. */

/** The longest text that `Number.MAX_SAFE_INTEGER` can have, without groups. */
const MOST_DIGITS = 16;

/** Unicode has decimal digits in runs of whole decades, each from zero to nine. */
function digitOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let start = at;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(start - 1))) start -= 1;
  return String((at - start) % 10);
}

/** ASCII digits and one form of blanks and apostrophes, without invisible marks. */
const plain = (text: string) =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s/gu, ' ')
    .replaceAll('’', "'")
    .replace(/\p{Nd}/gu, digitOf)
    .trim();

/** The region's own digits may come with other signs than ASCII digits. */
const formatsOf = (region: string) =>
  [{}, { numberingSystem: 'latn' }].map(
    (digits) => new Intl.NumberFormat(region, { useGrouping: 'always', ...digits }),
  );

function readWith(format: Intl.NumberFormat, text: string, fractionDigits: number): number | undefined {
  const decimal = plain(format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.');
  const [whole = '', fraction, ...more] = fractionDigits === 0 ? [text] : text.split(decimal);
  const digits = whole.replace(/\D/g, '');
  if (digits === '' || digits.length > MOST_DIGITS || more.length > 0) return undefined;
  const isGrouped = () => plain(format.format(BigInt(digits))) === whole;
  if (whole !== digits && !isGrouped()) return undefined;
  if (fraction !== undefined && !(/^\d+$/.test(fraction) && fraction.length <= fractionDigits)) return undefined;
  const value = Number(digits + (fraction ?? '').padEnd(fractionDigits, '0'));
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Reads a number of zero or more as one of the regions writes it, with at most so many digits after the decimal sign.
 * The result counts in units of the last of these digits: `12.5` with two is 1250. Undefined for any other text, and for
 * one that two of the regions read differently.
 */
export function readNumber(text: string, regions: readonly string[], fractionDigits = 0): number | undefined {
  const formats = regions.flatMap(formatsOf);
  const readings = formats.map((format) => readWith(format, plain(text), fractionDigits));
  const values = new Set(readings.filter((value) => value !== undefined));
  return values.size === 1 ? [...values][0] : undefined;
}

/** What `readNumber` reads as `value`, without groups: the text that a field begins with. */
export const writeNumber = (value: number, region: string, fractionDigits = 0): string =>
  new Intl.NumberFormat(region, {
    useGrouping: false,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(value / 10 ** fractionDigits);
