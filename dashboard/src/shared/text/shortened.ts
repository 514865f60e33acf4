const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts a text to at most `units` UTF-16 code units, between grapheme clusters. */
export function shortened(text: string, units: number): string {
  if (text.length <= units) return text;
  // Segments more than fits, so that the last cluster that fits is complete.
  const near = segmenter.segment(text.slice(0, 2 * units));
  let end = 0;
  for (const { index, segment } of near) {
    if (index + segment.length > units - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end || units - 1)}…`;
}
