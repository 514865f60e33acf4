import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/** The number in E.164; undefined when it cannot be a real one. Without a country code it is of `country`. */
export function phoneKey(text: string, country: string): string | undefined {
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}
