import { parsePhoneNumberFromString, type CountryCode, type NumberType } from 'libphonenumber-js/max';

/** The number in E.164; undefined when it cannot be a real one. Without a country code it is of `country`. */
export function phoneKey(text: string, country: string): string | undefined {
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

const DEAR: (NumberType | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'UAN', 'PAGER'];

/** Whether it is a number of one of the countries that costs its caller no more than any other. */
export function isPlainNumber(number: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(number);
  return countries.includes(parsed?.country ?? '') && !DEAR.includes(parsed?.getType());
}
