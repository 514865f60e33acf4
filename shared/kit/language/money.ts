import { currentLanguage } from '../process/context.ts';
import type { Language } from '../process/language.ts';

/** Formats an amount in the smallest unit for display, as `1,000 XOF`. */
export function readableAmount(amount: number, currency: string, language: Language = currentLanguage()): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits }).format(amount / 10 ** digits);
  return `${number}${language === 'fr' ? '\u00a0' : ' '}${currency}`;
}
