import { parsePhoneNumberFromString, type CountryCode, type NumberType } from 'libphonenumber-js/max';

/**
 * The number in E.164; undefined for a text that cannot be one. A number without a country code is one of `country`. It
 * need not be valid: numbering plans change, and accounts keep the numbers that they have proven.
 */
export function phoneKey(text: string, country: string): string | undefined {
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

const TEXTED: (NumberType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** Whether a number in E.164 is valid and of a kind that receives SMS. */
export const receivesSms = (number: string): boolean => TEXTED.includes(parsePhoneNumberFromString(number)?.getType());

const DEAR: (NumberType | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'UAN', 'PAGER'];

/** Whether it is an ordinary number of one of the countries: no premium rate. */
export function isPlainNumber(number: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(number);
  return countries.includes(parsed?.country ?? '') && !DEAR.includes(parsed?.getType());
}
