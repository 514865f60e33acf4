/** Items of a page of an export: neither side ever holds more. */
export const EXPORT_PAGE = 200;

/** The key of the last row, after which the next page begins; null on the last page. */
export const nextOf = <Row, Key>(page: Row[], keyOf: (row: Row) => Key): Key | null => {
  const last = page.at(-1);
  return last === undefined || page.length < EXPORT_PAGE ? null : keyOf(last);
};
