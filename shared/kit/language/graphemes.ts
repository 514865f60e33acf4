const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Longest grapheme cluster that is kept whole, in UTF-16 units. */
const LONGEST = 256;

/**
 * Truncates a text to a `size` of at most `limit`, between grapheme clusters (such as a family emoji, or a letter with
 * its accents). Only a first cluster beyond the limit is cut, between code points. The time does not depend on the
 * length of the text.
 */
export function truncate(text: string, limit: number, size: (part: string) => number): string {
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

export const utf16Length = (part: string): number => part.length;
export const codePointCount = (part: string): number => [...part].length;
