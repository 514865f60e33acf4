import { useCurrency } from '../queries/currency.ts';
import { Money, type Direction } from './money.tsx';

/** An amount whose record does not name its currency, which is that of this system. */
export function PlainMoney({ amount, direction }: { amount: number; direction?: Direction }) {
  const currency = useCurrency();
  return currency === undefined ? amount : <Money amount={amount} currency={currency} direction={direction} />;
}
