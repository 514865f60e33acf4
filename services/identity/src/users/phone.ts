import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/** The number in E.164; undefined when it cannot be a real one. Without a country code it is of `country`. */
export function phoneKey(text: string, country: string): string | undefined {
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

/** Whether it is a number of one of the countries that costs its caller no more than any other. */
export function isPlainNumber(number: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(number);
  const type = parsed?.getType();
  return countries.includes(parsed?.country ?? '') && type !== 'PREMIUM_RATE' && type !== 'SHARED_COST';
}
