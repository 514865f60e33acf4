import type { Reader } from '../database/sql.ts';

/** Items per page of an export, which bounds the memory of both sides. */
export const EXPORT_PAGE = 200;

/** The cursor of the next page: the key of the last row; null on the last page. */
export const nextCursor = <Row, Key>(page: Row[], keyOf: (row: Row) => Key): Key | null => {
  const last = page.at(-1);
  return last === undefined || page.length < EXPORT_PAGE ? null : keyOf(last);
};

/** The handler of an export. `list` reads a person's items with ids below `before`; `show` converts an item. */
export const exportHandler =
  <Item extends { id: number }>(
    reader: Reader,
    list: (reader: Reader, userId: number, page: { before: number | undefined; limit: number }) => Promise<Item[]>,
    show: (item: Item) => Record<string, unknown> = (item) => ({ ...item }),
  ) =>
  async ({ params, query }: { params: { id: number }; query: { after?: number | undefined } }) => {
    const page = await list(reader, params.id, { before: query.after, limit: EXPORT_PAGE });
    return { items: page.map(show), next: nextCursor(page, ({ id }) => id) };
  };
