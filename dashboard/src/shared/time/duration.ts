const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration such as `2 hr 5 min`: its largest unit and the next smaller one. */
export function durationInWords(seconds: number, region: string): string {
  const whole = Math.floor(seconds);
  const largest = UNITS.findIndex(([, length]) => whole >= length);
  const first = largest === -1 ? UNITS.length - 1 : largest;
  const words = UNITS.slice(first, first + 2).map(([unit, length], index) => {
    const rest = index === 0 ? whole : whole % UNITS[first]![1];
    const count = Math.floor(rest / length);
    const format = new Intl.NumberFormat(region, { style: 'unit', unit, unitDisplay: 'short' });
    return index > 0 && count === 0 ? '' : format.format(count);
  });
  return words.filter((word) => word !== '').join(' ');
}
