import { useEffect, useState } from 'react';
import { useRegion } from './region.ts';

/** `2026-11-20T21:04:06.593904Z` as `2026-11-20 21:04:06 UTC`. */
export const inUtc = (timestamp: string) => `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;

/** A moment in the reader's zone and language; in UTC under the pointer. `to`: with seconds, or only the day. */
export function Time({ at, to }: { at: string; to?: 'second' | 'day' }) {
  const region = useRegion();
  const timeStyle = to === 'second' ? 'medium' : 'short';
  const form: Intl.DateTimeFormatOptions = { dateStyle: 'medium', ...(to !== 'day' && { timeStyle }) };
  return (
    <time dateTime={at} title={inUtc(at)} style={{ whiteSpace: 'nowrap' }}>
      {new Intl.DateTimeFormat(region, form).format(new Date(at))}
    </time>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const WEEK_SECONDS = 7 * 86_400;

/** `2 min ago`, as people of a region say it; undefined when it is longer ago than a week. */
export function agoInWords(at: string, now: number, region: string): string | undefined {
  // The server's clock may be ahead.
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  if (seconds >= WEEK_SECONDS) return undefined;
  const words = new Intl.RelativeTimeFormat(region, { numeric: 'auto', style: 'short' });
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', Infinity];
  return words.format(-Math.floor(seconds / length) || 0, unit);
}

const TICK_MS = 20_000;

/** How long ago a moment was, or its day; the whole moment under the pointer. */
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
