import type { Pages } from './paging.ts';

/* JSON that is written piece by piece: only the present page is in memory. */

/** The list of all items. */
export async function* listText<Item>(pages: Pages<Item>): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield opening + page.map((item) => JSON.stringify(item)).join();
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

/** The same for objects, each with a list as an additional last member `key`. */
export async function* nestedText<Item>(
  pages: Pages<Item>,
  key: string,
  split: (item: Item) => { outer: object; inner: Pages<unknown> },
): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of pages) {
    for (const item of page) {
      const { outer, inner } = split(item);
      yield `${opening}${JSON.stringify(outer).slice(0, -1)},"${key}":`;
      yield* listText(inner);
      yield '}';
      opening = ',';
    }
  }
  yield opening === '[' ? '[]' : ']';
}

/** An object of these members, in this order; every value is JSON. */
export async function* objectText(members: Record<string, AsyncIterable<string> | [string]>): AsyncGenerator<string> {
  let opening = '{';
  for (const [key, value] of Object.entries(members)) {
    yield `${opening}"${key}":`;
    yield* value;
    opening = ',';
  }
  yield '}';
}
