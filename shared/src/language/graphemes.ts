const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** UTF-16 units that are searched for characters beyond the limit: a longer character is cut inside. */
const LONGEST = 256;

/**
 * The beginning of a text whose `size` is at most `limit`: whole characters as readers see them, such as an emoji of a
 * family or a letter with its accents. Only a first character that is longer than the limit is cut, between code points.
 * Looks at no more than the limit and a little, however long the text is.
 */
export function beginningOf(text: string, limit: number, size: (part: string) => number): string {
  let kept = '';
  let used = 0;
  const add = (part: string): boolean => {
    used += size(part);
    if (used <= limit) kept += part;
    return used <= limit;
  };
  const near = text.slice(0, 2 * limit + LONGEST);
  for (const { segment } of segmenter.segment(near)) if (!add(segment)) break;
  if (kept !== '' || near === '') return kept;
  used = 0;
  for (const point of near) if (!add(point)) break;
  return kept;
}

export const inUnits = (part: string): number => part.length;
export const inCodePoints = (part: string): number => [...part].length;
