/* Numbers as people of a region write them: `en-GB`, `fr`. */

/** The longest text that `Number.MAX_SAFE_INTEGER` can have, without groups. */
const MAX_DIGITS = 16;

/** The ASCII digit for a decimal digit of any script. Unicode has them in runs of ten, from zero to nine. */
function digitOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let start = at;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(start - 1))) start -= 1;
  return String((at - start) % 10);
}

/** Converts digits, spaces and apostrophes to ASCII and removes invisible characters. */
const plain = (text: string) =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s/gu, ' ')
    .replaceAll('’', "'")
    .replace(/\p{Nd}/gu, digitOf)
    .trim();

/** Two formats: a region's own digits may use other separators than ASCII digits do. */
const formatsOf = (region: string) =>
  [{}, { numberingSystem: 'latn' }].map(
    (digits) => new Intl.NumberFormat(region, { useGrouping: 'always', ...digits }),
  );

function readWith(format: Intl.NumberFormat, text: string, fractionDigits: number): number | undefined {
  const decimal = plain(format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.');
  const [whole = '', fraction, ...more] = fractionDigits === 0 ? [text] : text.split(decimal);
  const digits = whole.replace(/\D/g, '');
  if (digits === '' || digits.length > MAX_DIGITS || more.length > 0) return undefined;
  const isGrouped = () => plain(format.format(BigInt(digits))) === whole;
  if (whole !== digits && !isGrouped()) return undefined;
  if (fraction !== undefined && !(/^\d+$/.test(fraction) && fraction.length <= fractionDigits)) return undefined;
  const value = Number(digits + (fraction ?? '').padEnd(fractionDigits, '0'));
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * Reads a non-negative number in the format of one of the regions, with at most `fractionDigits` decimals. The result
 * is in units of the last decimal: `12.5` with two decimals is 1250. Undefined for any other text, and for text that
 * two regions read differently.
 */
export function readNumber(text: string, regions: readonly string[], fractionDigits = 0): number | undefined {
  const formats = regions.flatMap(formatsOf);
  const readings = formats.map((format) => readWith(format, plain(text), fractionDigits));
  const values = new Set(readings.filter((value) => value !== undefined));
  return values.size === 1 ? [...values][0] : undefined;
}

/** The inverse of `readNumber`, without digit groups: the initial text of a field. */
export const writeNumber = (value: number, region: string, fractionDigits = 0): string =>
  new Intl.NumberFormat(region, {
    useGrouping: false,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(value / 10 ** fractionDigits);
