const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const WEEK_SECONDS = 7 * 86_400;

/** A relative time such as `2 min ago`; undefined if it is more than a week ago. */
export function agoInWords(at: string, now: number, region: string): string | undefined {
  // The server's clock may be ahead.
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  if (seconds >= WEEK_SECONDS) return undefined;
  const words = new Intl.RelativeTimeFormat(region, { numeric: 'auto', style: 'short' });
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', Infinity];
  return words.format(-Math.floor(seconds / length) || 0, unit);
}
