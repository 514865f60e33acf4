import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@tutoring/shared/kit/errors';
import { EXPORT_RETRY_PAUSES_MS } from '../deadlines.ts';

type Pages<Item> = AsyncGenerator<Item[]>;

export interface Page<Item, Key> {
  items: Item[];
  next: Key | null;
}

/** Retries while the service is unavailable, after each of the pauses: it answered a moment ago. */
async function withRetries<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const pause of EXPORT_RETRY_PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      await delay(pause);
    }
  }
  return ask();
}

/** All pages of `ask`, beginning with `first` if given; requests the next page when the previous one is consumed. */
export async function* pagesOf<Item, Key>(
  ask: (after: Key | undefined) => Promise<Page<Item, Key>>,
  first?: Page<Item, Key>,
): Pages<Item> {
  let page = first ?? (await withRetries(() => ask(undefined)));
  for (;;) {
    yield page.items;
    const { next } = page;
    if (next === null) return;
    page = await withRetries(() => ask(next));
  }
}

/** Like `pagesOf`, but resolves when the first page has been read, without retries. */
export const startPages = async <Item, Key>(ask: (after: Key | undefined) => Promise<Page<Item, Key>>) =>
  pagesOf(ask, await ask(undefined));

/** An empty list of pages. */
export async function* noPages(): Pages<never> {}

/* JSON in chunks: only the current page is in memory. */

/** A JSON array of all items. */
export async function* jsonArray<Item>(pages: Pages<Item>): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield opening + page.map((item) => JSON.stringify(item)).join();
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

/** A JSON array of objects, each with an array as an additional last member `key`. */
export async function* jsonArrayOfLists<Item>(
  pages: Pages<Item>,
  key: string,
  split: (item: Item) => { outer: object; inner: Pages<unknown> },
): AsyncGenerator<string> {
  let opening = '[';
  for await (const page of pages) {
    for (const item of page) {
      const { outer, inner } = split(item);
      yield `${opening}${JSON.stringify(outer).slice(0, -1)},"${key}":`;
      yield* jsonArray(inner);
      yield '}';
      opening = ',';
    }
  }
  yield opening === '[' ? '[]' : ']';
}

/** A member of a JSON object; the value is JSON text. */
export type Member = [key: string, value: AsyncIterable<string> | [string]];

/** A JSON object of the members, in their order. */
export async function* jsonObject(members: Member[]): AsyncGenerator<string> {
  let opening = '{';
  for (const [key, value] of members) {
    yield `${opening}"${key}":`;
    yield* value;
    opening = ',';
  }
  yield '}';
}
