/** As people write numbers: without what they group them by. */
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** What has the text itself as one of its names comes first; each part in its order. */
export function exactFirst<Item extends { names: (string | null)[] }>(text: string, found: Item[]): Item[] {
  const wanted = plain(text);
  const isExact = ({ names }: Item) => wanted !== '' && names.some((name) => name !== null && plain(name) === wanted);
  return [...found.filter(isExact), ...found.filter((item) => !isExact(item))];
}
