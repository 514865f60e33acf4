import { fractionDigits } from './fraction-digits.ts';
import { useRegion } from '../../i18n/region.ts';

/** Into a person's balance, or out of it. */
export type Direction = 'in' | 'out';

/** Formats an amount in the currency's smallest unit for a region (`en-GB`); with a sign if a direction is given. */
export function formatMoney(amount: number, currency: string, region: string, direction?: Direction): string {
  const signDisplay = direction === undefined ? 'auto' : 'always';
  const format = new Intl.NumberFormat(region, { style: 'currency', currency, signDisplay });
  return format.format((direction === 'out' ? -amount : amount) / 10 ** fractionDigits(currency));
}

/** Converts an amount in the currency's smallest unit to a decimal number for spreadsheets. */
export function decimalOf(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

interface MoneyProps {
  amount: number;
  currency: string;
  /** Shown as a plus or minus sign. */
  direction?: Direction | undefined;
}

/** An amount in the format of its currency. */
export function Money({ amount, currency, direction }: MoneyProps) {
  const region = useRegion();
  return (
    <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {formatMoney(amount, currency, region, direction)}
    </span>
  );
}
