/** How many items a page of an export has: neither who asks nor who answers ever holds more. */
export const EXPORT_PAGE = 200;

/** The key of the last row, after which the next page begins; null when this one was the last. */
export const nextOf = <Row, Key>(page: Row[], keyOf: (row: Row) => Key): Key | null => {
  const last = page.at(-1);
  return last === undefined || page.length < EXPORT_PAGE ? null : keyOf(last);
};
