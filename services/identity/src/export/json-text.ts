/* JSON that is written piece by piece: only the present page is in memory. */

export type Pages<Item> = AsyncGenerator<Item[]>;

/** All pages that `ask` returns; each is requested when the previous one has been consumed. */
export async function* pagesOf<Item, Key>(
  ask: (after: Key | undefined) => Promise<{ items: Item[]; next: Key | null }>,
): Pages<Item> {
  for (let after: Key | undefined; ;) {
    const { items, next } = await ask(after);
    yield items;
    if (next === null) return;
    after = next;
  }
}

/** The same pages, after the first one has arrived. */
export async function begun<Item>(pages: Pages<Item>): Promise<Pages<Item>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* pages;
  })();
}

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

/** No page at all. */
export async function* noPages(): Pages<never> {}

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
