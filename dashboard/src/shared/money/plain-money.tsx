import { useCurrency } from '../queries/currency.ts';
import { Money, type Direction } from './money.tsx';

/** An amount in the system's currency, for records that do not name one. */
export function PlainMoney({ amount, direction }: { amount: number; direction?: Direction }) {
  const currency = useCurrency();
  return currency === undefined ? amount : <Money amount={amount} currency={currency} direction={direction} />;
}
