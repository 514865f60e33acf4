/** A part of the evidence, for the page and for the copied text. */
export interface EvidencePart {
  title: string;
  facts: [label: string, value: string][];
  heads: string[];
  rows: string[][];
  /** Shown instead of facts and rows if there are none. */
  none?: string;
}

/** The evidence as plain text, with a line for each fact and row. */
export const evidenceText = (title: string, parts: EvidencePart[]): string =>
  [
    title,
    ...parts.map(({ title: heading, facts, heads, rows, none }) =>
      [
        heading,
        ...facts.map(([label, value]) => `${label}: ${value}`),
        ...(rows.length > 0 ? [heads, ...rows].map((cells) => cells.join(' | ')) : []),
        ...(none === undefined ? [] : [none]),
      ].join('\n'),
    ),
  ].join('\n\n');
