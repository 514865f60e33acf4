import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';
import { RecordLink } from '../shared/record/record-link.tsx';

const PAGES = new Map([
  ['deposit', 'deposits'],
  ['withdrawal', 'withdrawals'],
  ['call', 'calls'],
]);

/** The payment's type, as a link to its source (`deposit:12`, `call:<identifier>:refund:1`). */
export function Source({ of: { type, source = '' } }: { of: Pick<RowOf<'payments'>, 'type' | 'source'> }) {
  const t = useText();
  const [kind = '', id] = source.split(':');
  const resource = PAGES.get(kind);
  const name = t(`resources.payments.types.${type}`);
  if (resource === undefined || id === undefined) return name;
  return (
    <RecordLink resource={resource} id={id}>
      {name}
    </RecordLink>
  );
}
