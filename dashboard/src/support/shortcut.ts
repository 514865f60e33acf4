/* How a text asks for a saved reply: it ends with `/` and the start of a shortcut. */

export interface Asked {
  /** The text before the `/`. */
  before: string;
  shortcut: string;
}

/** Undefined for a text that does not ask. A `/` within a word, as in an address, does not ask. */
export function askedFor(text: string): Asked | undefined {
  const found = /(?<=^|\s)\/([a-z0-9_-]{0,40})$/i.exec(text);
  return found ? { before: text.slice(0, found.index), shortcut: (found[1] ?? '').toLowerCase() } : undefined;
}

/** The replies whose shortcut begins with the text, then those that contain it. */
export function offered<Reply extends { shortcut: string }>(all: Reply[], shortcut: string): Reply[] {
  const beginning = all.filter((reply) => reply.shortcut.startsWith(shortcut));
  const containing = all.filter((reply) => !beginning.includes(reply) && reply.shortcut.includes(shortcut));
  return [...beginning, ...containing];
}
