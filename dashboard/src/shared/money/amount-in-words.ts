/* Spells out amounts, so that no digit is misread: `five thousand West African CFA francs`. */

import { fractionDigits } from './fraction-digits.ts';

type Spell = (count: number) => string;

const ENGLISH = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const ENGLISH_TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const FRENCH = (
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept ' +
  'dix-huit dix-neuf'
).split(' ');
const FRENCH_TENS = '- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ');

/** The non-zero groups of three digits, largest first: `[5, 'thousand']`, `[20, '']` for 5,020. */
function groupsOf(count: number, names: string[]): [number, string][] {
  return names
    .map((name, power): [number, string] => [Math.floor(count / 1000 ** power) % 1000, name])
    .filter(([group]) => group > 0)
    .reverse();
}

function englishBelowThousand(count: number): string {
  const rest = count % 100;
  const tens = ENGLISH_TENS[Math.floor(rest / 10)];
  const below = rest < 20 ? ENGLISH[rest] : rest % 10 === 0 ? tens : `${tens}-${ENGLISH[rest % 10]}`;
  if (count < 100) return below ?? '';
  const hundreds = `${ENGLISH[Math.floor(count / 100)]} hundred`;
  return rest === 0 ? hundreds : `${hundreds} and ${below}`;
}

const english: Spell = (count) =>
  count === 0
    ? 'zero'
    : groupsOf(count, ['', 'thousand', 'million', 'billion'])
        .map(([group, name]) => `${englishBelowThousand(group)} ${name}`.trim())
        .join(' ');

/** Seventy is sixty-ten and ninety is eighty-ten; `et` stands before one and eleven, except from eighty on. */
function frenchBelowHundred(count: number): string {
  if (count < 20) return FRENCH[count] ?? '';
  const decade = Math.floor(count / 10);
  const unit = decade === 7 || decade === 9 ? (count % 10) + 10 : count % 10;
  const tens = FRENCH_TENS[decade] ?? '';
  if (unit === 0) return tens;
  return `${tens}${(unit === 1 || unit === 11) && decade < 8 ? ' et ' : '-'}${FRENCH[unit]}`;
}

/** `isLast`: only the currency or `millions` follows, so `cents` and `quatre-vingts` take their s. */
function frenchBelowThousand(count: number, isLast: boolean): string {
  const hundreds = Math.floor(count / 100);
  const rest = count % 100;
  const below = rest === 80 && isLast ? 'quatre-vingts' : frenchBelowHundred(rest);
  if (hundreds === 0) return below;
  const many = hundreds === 1 ? 'cent' : `${FRENCH[hundreds]} cent`;
  if (rest === 0) return isLast && hundreds > 1 ? `${many}s` : many;
  return `${many} ${below}`;
}

function frenchGroup([group, name]: [number, string]): string {
  if (name === 'mille') return group === 1 ? name : `${frenchBelowThousand(group, false)} ${name}`;
  const count = frenchBelowThousand(group, true);
  return name === '' ? count : `${count} ${name}${group > 1 ? 's' : ''}`;
}

const french: Spell = (count) => {
  if (count === 0) return 'zéro';
  const words = groupsOf(count, ['', 'mille', 'million', 'milliard']).map(frenchGroup).join(' ');
  return count % 1_000_000 === 0 ? `${words} de` : words;
};

/** Spells out an amount in the currency's smallest unit; hundredths as a fraction: `twelve and 50/100 euros`. */
export function amountInWords(amount: number, currency: string, region: string): string {
  const format = new Intl.NumberFormat(region, { style: 'currency', currency, currencyDisplay: 'name' });
  const unit = 10 ** fractionDigits(currency);
  const parts = format.formatToParts(amount / unit);
  const name = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  const isFrench = region.startsWith('fr');
  const whole = (isFrench ? french : english)(Math.floor(amount / unit));
  const rest = amount % unit;
  return rest === 0 ? `${whole} ${name}` : `${whole} ${isFrench ? 'et' : 'and'} ${rest}/${unit} ${name}`;
}
