const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** At most so many UTF-16 units of a text, cut between characters as readers see them. */
export function shortened(text: string, units: number): string {
  if (text.length <= units) return text;
  // A little more than fits, so that the last character that fits is whole.
  const near = segmenter.segment(text.slice(0, 2 * units));
  let end = 0;
  for (const { index, segment } of near) {
    if (index + segment.length > units - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end || units - 1)}…`;
}
