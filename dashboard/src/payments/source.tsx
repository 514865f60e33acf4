import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';
import { RecordLink } from '../shared/record/record-link.tsx';

const PAGES = new Map([
  ['deposit', 'deposits'],
  ['withdrawal', 'withdrawals'],
  ['call', 'calls'],
  ['dispute', 'disputes'],
  ['deposit-refund', 'refunds'],
]);

/** The reference of a payout: its withdrawal and its batch. */
const PAYOUT = /^W\d+-(\d+)$/;

/** The resource and id of a reference such as `deposit:12`, `dispute:7:1` or `W41-12`; undefined for any other text. */
export function sourceOf(reference: string): { resource: string; id: string } | undefined {
  const batch = PAYOUT.exec(reference)?.[1];
  if (batch !== undefined) return { resource: 'payouts', id: batch };
  const [kind = '', id] = reference.split(':');
  const resource = PAGES.get(kind);
  return resource === undefined || id === undefined ? undefined : { resource, id };
}

/** The payment's type, as a link to its source (`deposit:12`, `call:<identifier>:refund:1`). */
export function Source({ of: { type, source = '' } }: { of: Pick<RowOf<'payments'>, 'type' | 'source'> }) {
  const t = useText();
  const found = sourceOf(source);
  const name = t(`resources.payments.types.${found?.resource === 'disputes' ? 'dispute' : type}`);
  return found ? <RecordLink {...found}>{name}</RecordLink> : name;
}
