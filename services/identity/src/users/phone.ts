import { parsePhoneNumberFromString, type CountryCode, type NumberType } from 'libphonenumber-js/max';

/**
 * The number in E.164; undefined if the text cannot be a number. A number without a country code belongs to `country`.
 * It need not be valid: numbering plans change, and accounts keep their proven numbers.
 */
export function phoneKey(text: string, country: string): string | undefined {
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

const SMS_TYPES: (NumberType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** Whether a number in E.164 is valid and of a type that receives SMS. */
export const receivesSms = (number: string): boolean =>
  SMS_TYPES.includes(parsePhoneNumberFromString(number)?.getType());

const SURCHARGED_TYPES: (NumberType | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'UAN', 'PAGER'];

/** Whether it is a number of one of the countries without extra charges. */
export function isOrdinaryNumber(number: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(number);
  return countries.includes(parsed?.country ?? '') && !SURCHARGED_TYPES.includes(parsed?.getType());
}
