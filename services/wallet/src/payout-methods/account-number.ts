/* The forms in which payout accounts are kept. */

/** Length of an IBAN by country, from the published registry; a country that is not here may have 15 to 34. */
const IBAN_LENGTHS: Record<string, number> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BF: 28, BG: 22, BH: 22, BI: 27, BJ: 28, BR: 29, BY: 28 },
  ...{ CF: 27, CG: 27, CH: 21, CI: 28, CM: 27, CR: 22, CV: 25, CY: 28, CZ: 24, DE: 22, DJ: 27, DK: 18, DO: 28, DZ: 26 },
  ...{ EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GA: 27, GB: 22, GE: 22, GI: 23, GL: 18, GQ: 27, GR: 27, GT: 28 },
  ...{ GW: 25, HN: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IR: 26, IS: 26, IT: 27, JO: 30, KM: 27, KW: 30, KZ: 20 },
  ...{ LB: 28, LC: 32, LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MA: 28, MC: 27, MD: 24, ME: 22, MG: 27, MK: 19, ML: 28 },
  ...{ MN: 20, MR: 27, MT: 31, MU: 30, MZ: 25, NE: 28, NI: 28, NL: 18, NO: 15, PK: 24, PL: 28, PS: 29, PT: 25, QA: 29 },
  ...{ RO: 24, RS: 22, RU: 33, SA: 24, SC: 31, SD: 18, SE: 24, SI: 19, SK: 24, SM: 27, SN: 28, SO: 23, ST: 25, SV: 28 },
  ...{ TD: 27, TG: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20 },
};

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Check digits are 02 to 98: these have the same remainders as 97, 98 and 02. */
const NO_CHECK_DIGITS = ['00', '01', '99'];

/** The remainder by 97 of the number in which letters stand for 10 to 35. */
function remainder(characters: string): number {
  let rest = 0;
  for (const character of characters)
    for (const digit of parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** The IBAN without blanks and in capitals; undefined unless its length and check digits are right. */
export function ibanOf(given: string): string | undefined {
  const iban = given.replaceAll(/[\s-]/gu, '').toUpperCase();
  if (!IBAN.test(iban)) return undefined;
  const length = IBAN_LENGTHS[iban.slice(0, 2)];
  if (length !== undefined && iban.length !== length) return undefined;
  if (NO_CHECK_DIGITS.includes(iban.slice(2, 4))) return undefined;
  return remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : undefined;
}

const MOBILE: (string | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** The number in E.164; undefined unless it is a valid mobile number of the country. Loads the library at first use. */
export async function mobileOf(given: string, country: string): Promise<string | undefined> {
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  if (!isSupportedCountry(country)) return undefined;
  const number = parsePhoneNumberFromString(given, country);
  const isMobile = number?.isValid() === true && number.country === country && MOBILE.includes(number.getType());
  return isMobile ? number.number : undefined;
}

/**
 * The signs by which a spreadsheet takes a cell for a formula, also in full width: at its beginning, and after what some
 * take for the end of a cell, with or without quotes and blanks before them.
 */
const FORMULA = /(?:^|[;\t\r\n])["'\s]*[=+\-@＝＋－＠]/u;

export const isFormula = (text: string): boolean => FORMULA.test(text);

/** What XML 1.0 cannot hold: control characters, halves of characters, U+FFFE and U+FFFF. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The text as XML can hold it. */
export const xmlText = (text: string): string => text.replaceAll(new RegExp(NOT_XML, 'gu'), '\ufffd');

/** Whether a new text may be stored that comes into a file for a bank. */
export const isWritable = (text: string): boolean => !isFormula(text) && !NOT_XML.test(text);

/** A number with its country code, which no spreadsheet computes. */
const PHONE = /^\+[\d ().-]+$/;

/** Whether a text of any origin may be written into a file for a bank. */
export const isSafeInCell = (text: string): boolean => !isFormula(text) || PHONE.test(text);
