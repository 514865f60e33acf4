import { useRegion } from './region.ts';

/** `2026-11-20T21:04:06.593904Z` as `2026-11-20 21:04:06 UTC`. */
export const inUtc = (timestamp: string) => `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;

/** A moment in the reader's zone and language; in UTC under the pointer. */
export function Time({ at, only }: { at: string; only?: 'date' }) {
  const region = useRegion();
  const form: Intl.DateTimeFormatOptions = { dateStyle: 'medium', ...(only === undefined && { timeStyle: 'short' }) };
  return (
    <time dateTime={at} title={inUtc(at)} style={{ whiteSpace: 'nowrap' }}>
      {new Intl.DateTimeFormat(region, form).format(new Date(at))}
    </time>
  );
}
