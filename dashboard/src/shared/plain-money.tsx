import { useCurrency } from './currency.ts';
import { Money } from './money.tsx';

/** An amount whose record does not name its currency, which is that of this system. */
export function PlainMoney({ amount }: { amount: number }) {
  const currency = useCurrency();
  return currency === undefined ? amount : <Money amount={amount} currency={currency} />;
}
