import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@tutoring/shared/errors';
import { EXPORT_REPEATS_MS } from '../deadlines.ts';

export type Pages<Item> = AsyncGenerator<Item[]>;

interface Page<Item, Key> {
  items: Item[];
  next: Key | null;
}

/** Asks again, after each pause, when the service is unavailable: it has been there a moment ago. */
async function repeated<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const pause of EXPORT_REPEATS_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      await delay(pause);
    }
  }
  return ask();
}

/** All pages that `ask` returns, from `first` if it is given; each is requested when the one before has been consumed. */
export async function* pagesOf<Item, Key>(
  ask: (after: Key | undefined) => Promise<Page<Item, Key>>,
  first?: Page<Item, Key>,
): Pages<Item> {
  let page = first ?? (await repeated(() => ask(undefined)));
  for (;;) {
    yield page.items;
    const { next } = page;
    if (next === null) return;
    page = await repeated(() => ask(next));
  }
}

/** The same, once the first page is there; it is asked for once. */
export const begun = async <Item, Key>(ask: (after: Key | undefined) => Promise<Page<Item, Key>>) =>
  pagesOf(ask, await ask(undefined));

/** No page at all. */
export async function* noPages(): Pages<never> {}
