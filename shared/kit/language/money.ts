import { currentLanguage } from '../process/context.ts';
import type { Language } from '../process/language.ts';

/** The decimal digits of a currency. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/** Formats an amount in the smallest unit for display, as `1,000 XOF`. */
export function readableAmount(amount: number, currency: string, language: Language = currentLanguage()): string {
  const digits = currencyDigits(currency);
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits }).format(amount / 10 ** digits);
  return `${number}${language === 'fr' ? '\u00a0' : ' '}${currency}`;
}
