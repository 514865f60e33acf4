/** White space and invisible characters. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800]$/u;
const LEADING_INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800]+/u;
/** Invisible parts of a visible character: the tags of a flag (such as Scotland's), a variation selector. */
const FLAG_TAGS = /(?<=\u{1F3F4})[\u{E0020}-\u{E007E}]+\u{E007F}/uy;
const SELECTOR = /(?<=\P{ASCII})\p{Variation_Selector}/uy;

/** The index after the last visible character; 0 when there is none. */
function visibleEnd(text: string): number {
  let end = text.length;
  while (end > 0) {
    const start = end - (/[\udc00-\udfff]/.test(text[end - 1]!) && end > 1 ? 2 : 1);
    if (!INVISIBLE.test(text.slice(start, end))) return end;
    end = start;
  }
  return 0;
}

/**
 * Trims white space and invisible characters at both ends, in linear time. Tags of a flag and a variation selector are
 * kept; after an ASCII character a selector has no meaning and is removed.
 */
export function trimInvisible(text: string): string {
  const end = visibleEnd(text);
  const kept = [FLAG_TAGS, SELECTOR].map((pattern) => {
    pattern.lastIndex = end;
    return end > 0 && pattern.test(text) ? pattern.lastIndex : end;
  });
  return text.slice(0, Math.max(...kept)).replace(LEADING_INVISIBLE, '');
}

/** White space, hyphens and invisible characters. */
const BETWEEN_DIGITS = /[\s\p{Dash_Punctuation}\u2043\u2212\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const DIGIT = /\p{Decimal_Number}/u;

/** The value of a decimal digit of any script. In Unicode, the ten digits of a script are consecutive. */
function digitValue(digit: string): string {
  const given = digit.codePointAt(0)!;
  let first = given;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((given - first) % 10);
}

/** Normalizes a typed code: removes separators and converts digits of any script to 0 to 9. */
export const normalizeCode = (text: string): string =>
  text.replaceAll(BETWEEN_DIGITS, '').replaceAll(/\p{Decimal_Number}/gu, digitValue);
