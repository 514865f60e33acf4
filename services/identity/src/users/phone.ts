import { parsePhoneNumberFromString, type CountryCode, type NumberType } from 'libphonenumber-js/max';

/** The number in E.164; undefined when it is not valid. A number without a country code is one of `country`. */
export function phoneKey(text: string, country: string): string | undefined {
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}

const DEAR: (NumberType | undefined)[] = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'UAN', 'PAGER'];

/** Whether it is an ordinary number of one of the countries: no premium rate. */
export function isPlainNumber(number: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(number);
  return countries.includes(parsed?.country ?? '') && !DEAR.includes(parsed?.getType());
}
