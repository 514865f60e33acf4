/** Longest text that may be an amount. */
const MAX_LENGTH = 64;
const SPACES = /[\s'’\u00a0\u202f]/gu;

/**
 * The digits before and after the decimal separator; undefined unless the text is a number. A single kind of separator is
 * decimal when it comes once, unless three digits follow it as in 5.000 or 5,000: it is decimal even so in a currency with
 * three digits, and where the digits before it are no group of thousands.
 */
function partsOf(text: string, digits: number): [whole: string, fraction: string] | undefined {
  const marks = [...text.matchAll(/[.,]/g)];
  const last = marks.at(-1);
  if (!last) return [text, ''];
  const isBoth = new Set(marks.map(([mark]) => mark)).size === 2;
  const [whole, fraction] = [text.slice(0, last.index), text.slice(last.index + 1)];
  const mayGroup = fraction.length === 3 && digits !== 3 && /^[1-9]\d{0,2}$/.test(whole);
  const isDecimal = isBoth || (marks.length === 1 && !mayGroup);
  const groups = (isDecimal ? whole : text).split(/[.,]/);
  const isGrouped =
    groups.slice(1).every((group) => group.length === 3) && (groups.length === 1 || groups[0]!.length < 4);
  if (!isGrouped) return undefined;
  return [groups.join(''), isDecimal ? fraction : ''];
}

/**
 * An amount as banks write it (`5000`, `5 000,00`, `5,000.00`, `5.000`, with or without the currency or its sign) in the
 * smallest unit of a currency with `digits` decimals; undefined when it is none, or has a fraction of that unit.
 */
export function amountOf(given: string, digits: number): number | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const text = given.replaceAll(SPACES, '').replaceAll(/^[\p{L}\p{Sc}]+|[\p{L}\p{Sc}]+$/gu, '');
  if (!/^\d[\d.,]*$/.test(text)) return undefined;
  const [whole, fraction] = partsOf(text, digits) ?? [];
  if (whole === undefined || fraction === undefined) return undefined;
  if (/[1-9]/.test(fraction.slice(digits))) return undefined;
  const amount = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}
