import { useCurrency } from '../shared/currency.ts';
import { Money } from '../shared/money.tsx';

/** What a call costs, in the currency of this system: the call does not name it. */
export function Cost({ of }: { of: number }) {
  const currency = useCurrency();
  return currency === undefined ? of : <Money amount={of} currency={currency} />;
}
