import { useEffect, useState } from 'react';
import { agoInWords } from './ago.ts';
import { useRegion } from '../../i18n/region.ts';

/** `2026-11-20T21:04:06.593904Z` as `2026-11-20 21:04:06 UTC`. */
export const inUtc = (timestamp: string) => `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;

/** A time in the reader's time zone and format. `to`: with seconds, or only the day. */
export function writtenTime(at: string, region: string, to?: 'second' | 'day'): string {
  const timeStyle = to === 'second' ? 'medium' : 'short';
  const form: Intl.DateTimeFormatOptions = { dateStyle: 'medium', ...(to !== 'day' && { timeStyle }) };
  return new Intl.DateTimeFormat(region, form).format(new Date(at));
}

/** A time in the reader's time zone and language, with UTC in the tooltip. */
export function Time({ at, to }: { at: string; to?: 'second' | 'day' }) {
  const region = useRegion();
  return (
    <time dateTime={at} title={inUtc(at)} style={{ whiteSpace: 'nowrap' }}>
      {writtenTime(at, region, to)}
    </time>
  );
}

const TICK_MS = 20_000;

/** How long ago a time was, or its date if more than a week ago; the full time is in the tooltip. */
export function Ago({ at }: { at: string }) {
  const region = useRegion();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  const whole = new Intl.DateTimeFormat(region, { dateStyle: 'full', timeStyle: 'long' }).format(new Date(at));
  const words = agoInWords(at, now, region);
  return (
    <time dateTime={at} title={whole} style={{ whiteSpace: 'nowrap' }}>
      {words ?? new Intl.DateTimeFormat(region, { dateStyle: 'medium' }).format(new Date(at))}
    </time>
  );
}
