import { z } from 'zod';
import { texts } from '../../language/texts.ts';
import { mustExist } from '../read/validation.ts';
import { seesContacts } from '../../identity/rights.ts';
import { day, integer, text, wholeNumber } from './fields.ts';
import { route, type Auth, type CallerOf, type Endpoint, type Route, type RouteSpec } from './route.ts';

const DEFAULT_PAGE_ITEMS = 15;
const MAX_PAGE_ITEMS = 100;

/**
 * Fields of every paged list. `pageItems` above 100 becomes 100, an invalid `page` becomes 1; newest first by default.
 */
export const pageFields = {
  pageItems: integer({ min: 1, cut: MAX_PAGE_ITEMS }).optional().meta({ example: 15 }),
  page: z.preprocess(toPage, z.int()).optional().meta({ example: 1 }),
  filter_value: text().optional().meta({ example: 'awa' }),
  order: z.enum(['asc', 'desc']).optional().meta({ description: '`asc`: oldest first.', example: 'desc' }),
};

/** UTC days, both inclusive. */
export const dayFields = {
  from: day().optional().meta({ example: '2026-11-01' }),
  to: day().optional().meta({ example: '2026-11-30' }),
};

/** The `limit` field of a list with a cursor; a value above `max` becomes `max`. */
export const listLimit = (max: number, standard = max) =>
  integer({ min: 1, cut: max }).default(standard).meta({ example: 50 });

function toPage(value: unknown): number {
  const page = wholeNumber(value);
  return typeof page === 'number' && Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** Limit, offset and order of the requested page. */
export function pageWindow(request: Pick<z.output<z.ZodObject<typeof pageFields>>, 'pageItems' | 'page' | 'order'>) {
  const { pageItems: perPage = DEFAULT_PAGE_ITEMS, page = 1, order = 'desc' } = request;
  return { page, perPage, limit: perPage, offset: (page - 1) * perPage, order };
}

const link = z
  .strictObject({
    url: z.string().nullable().meta({ example: 'https://api.example.com/api/paymentsall?page=2' }),
    label: z.string().meta({ example: '1' }),
    active: z.boolean().meta({ example: true }),
  })
  .meta({ id: 'PageLink' });

/** Schema of a page of `item`: the JSON of Laravel's LengthAwarePaginator; `Item` makes `ItemPage` in the reference. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z
    .strictObject({
      current_page: z.int().meta({ example: 1 }),
      data: z.array(item),
      first_page_url: z.string().meta({ example: 'https://api.example.com/api/paymentsall?page=1' }),
      from: z.int().nullable().meta({ example: 1 }),
      last_page: z.int().meta({ example: 3 }),
      last_page_url: z.string().meta({ example: 'https://api.example.com/api/paymentsall?page=3' }),
      links: z.array(link),
      next_page_url: z.string().nullable().meta({ example: 'https://api.example.com/api/paymentsall?page=2' }),
      path: z.string().meta({ example: 'https://api.example.com/api/paymentsall' }),
      per_page: z.int().meta({ example: 15 }),
      prev_page_url: z.string().nullable().meta({ example: 'https://api.example.com/api/paymentsall?page=1' }),
      to: z.int().nullable().meta({ example: 15 }),
      total: z.int().meta({ example: 38 }),
    })
    .meta({ ...(item.meta()?.id && { id: `${item.meta()?.id}Page` }) });

const EACH_SIDE = 3;
const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** Page numbers for links, `'...'` for a gap: three on each side of the current page, as in Laravel. */
export function pageNumbers(current: number, last: number): (number | '...')[] {
  if (last < EACH_SIDE * 2 + 8) return range(1, last);
  const window = EACH_SIDE + 4;
  if (current <= window) return [...range(1, window + EACH_SIDE), '...', last - 1, last];
  if (current > last - window) return [1, 2, '...', ...range(last - (window + EACH_SIDE - 1), last)];
  return [1, 2, '...', ...range(current - EACH_SIDE, current + EACH_SIDE), '...', last - 1, last];
}

/** A page of a list, with links. `path` is the list's absolute URL; `query` is added to the links of a GET list. */
export function paginate<Item>(input: {
  items: Item[];
  total: number;
  page: number;
  perPage: number;
  path: string;
  query?: Record<string, string>;
}) {
  const { items, total, page, perPage, path, query } = input;
  const last = Math.max(1, Math.ceil(total / perPage));
  const url = (number: number) => `${path}?${new URLSearchParams({ ...query, page: String(number) }).toString()}`;
  const previous = page > 1 ? url(page - 1) : null;
  const next = page < last ? url(page + 1) : null;
  const from = items.length > 0 ? (page - 1) * perPage + 1 : null;
  return {
    current_page: page,
    data: items,
    first_page_url: url(1),
    from,
    last_page: last,
    last_page_url: url(last),
    links: [
      { url: previous, label: texts.page.previous, active: false },
      ...pageNumbers(page, last).map((number) =>
        number === '...'
          ? { url: null, label: '...', active: false }
          : { url: url(number), label: String(number), active: number === page },
      ),
      { url: next, label: texts.page.next, active: false },
    ],
    next_page_url: next,
    path,
    per_page: perPage,
    prev_page_url: previous,
    to: from === null ? null : from + items.length - 1,
    total,
  };
}

/** Validation rule: the filter `user_id` is the id of an existing user. */
export const userMustExist = (people: { find(ids: number[]): Promise<ReadonlyMap<number, unknown>> }) =>
  mustExist('user_id', async (id: number) => (await people.find([id])).has(id));

/**
 * Declares an endpoint that lists records in pages. `list` gets the body as filter, and the window of rows to return.
 */
export function listRoute<A extends Auth, Item extends z.ZodType, B extends z.ZodObject<typeof pageFields>>(
  at: Endpoint,
  spec: Omit<RouteSpec<A, undefined, undefined, B, z.ZodType, undefined>, 'response' | 'handle'> & {
    item: Item;
    /** Base of the links to other pages. */
    publicUrl: string;
    list: (
      filter: z.output<B>,
      window: ReturnType<typeof pageWindow> & { searchesContacts: boolean },
      caller: CallerOf[A],
    ) => Promise<{ items: z.input<Item>[]; total: number }>;
  },
): Route {
  const { item, list, publicUrl, ...rest } = spec;
  const path = at.slice(at.indexOf('/'));
  return route<A, z.ZodType, undefined, undefined, B>(at, {
    ...rest,
    response: pageOf(item),
    handle: async ({ body, caller }) => {
      const filter = body as z.output<B>;
      const window = { ...pageWindow(filter), searchesContacts: seesContacts(caller) };
      return paginate({ ...(await list(filter, window, caller)), ...window, path: `${publicUrl}${path}` });
    },
  });
}
