/** Only letters and digits, in lower case: ignores how numbers are grouped. */
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Moves the items that have `text` as one of their names to the front; otherwise keeps the order. */
export function exactFirst<Item extends { names: (string | null)[] }>(text: string, found: Item[]): Item[] {
  const wanted = plain(text);
  const isExact = ({ names }: Item) => wanted !== '' && names.some((name) => name !== null && plain(name) === wanted);
  return [...found.filter(isExact), ...found.filter((item) => !isExact(item))];
}
