import type { z } from 'zod';
import { known } from '../read/validation.ts';
import { pageOf, pageWindow, paginate, type pageFields } from './page.ts';
import { route, type Auth, type CallerOf, type Endpoint, type Route, type RouteSpec } from './route.ts';

/** The rule of a filter `user_id`: it names somebody. */
export const knownUser = (people: { find(ids: number[]): Promise<ReadonlyMap<number, unknown>> }) =>
  known('user_id', async (id: number) => (await people.find([id])).has(id));

type Window = ReturnType<typeof pageWindow>;

/** Declares an endpoint that lists records in pages: `list` gets the body and which of the rows it wants. */
export function listRoute<A extends Auth, Item extends z.ZodType, B extends z.ZodObject<typeof pageFields>>(
  at: Endpoint,
  spec: Omit<RouteSpec<A, undefined, undefined, B, z.ZodType>, 'response' | 'handle'> & {
    item: Item;
    /** Base of the links to other pages. */
    publicUrl: string;
    list: (
      filter: z.output<B>,
      window: Window,
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
      const window = pageWindow(filter);
      return paginate({ ...(await list(filter, window, caller)), ...window, path: `${publicUrl}${path}` });
    },
  });
}
