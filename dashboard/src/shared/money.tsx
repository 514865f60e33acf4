import { fractionDigits } from './fraction-digits.ts';
import { useRegion } from './region.ts';

/** An amount of the server, in the smallest unit of its currency, as people of a region (`en-GB`) write it. */
export function formatMoney(amount: number, currency: string, region: string): string {
  const format = new Intl.NumberFormat(region, { style: 'currency', currency });
  return format.format(amount / 10 ** fractionDigits(currency));
}

/** An amount in the format of its currency. */
export function Money({ amount, currency }: { amount: number; currency: string }) {
  const region = useRegion();
  return (
    <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {formatMoney(amount, currency, region)}
    </span>
  );
}
