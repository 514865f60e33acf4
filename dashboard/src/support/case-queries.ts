import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useDataProvider, useGetIdentity, useLogoutIfAccessDenied, useNotify } from 'ra-core';
import { idOf, type BodyOf } from '../data/binding.ts';
import type { ServerProvider } from '../data-provider.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { restart } from '../shared/queries/restart.ts';
import { useRights } from '../shared/queries/rights.ts';
import { filterOf, withCase, type Case, type CaseDetail, type Choice, type Page } from './case.ts';

const PAGE_SIZE = 50;
/** Polling interval. No event tells that a colleague has read a room or written a note. */
const POLL_MS = 60_000;

const CASES = ['support', 'cases'];
const COUNTS = ['support', 'counts'];
export const DETAILS = ['support', 'case'];
const ROOMS = ['support', 'case of room'];

type Pages = InfiniteData<Page, number>;
type Change = BodyOf<'/api/admin/desk/cases/{id}', 'put'>;

/** The id of the signed-in administrator; undefined while loading. */
export function useMe(): number | undefined {
  const { identity } = useGetIdentity();
  return identity === undefined ? undefined : Number(identity.id);
}

/** The cases of a filter or a search, page by page. */
export function useCases(choice: Choice) {
  const provider = useDataProvider<ServerProvider>();
  const query = useInfiniteQuery({
    queryKey: [...CASES, choice],
    initialPageParam: 1,
    queryFn: ({ pageParam: page }) =>
      provider.request((client) =>
        client.POST('/api/admin/desk/casesall', { body: { ...filterOf(choice), page, pageItems: PAGE_SIZE } }),
      ),
    getNextPageParam: ({ current_page: page, last_page: last }) => (page < last ? page + 1 : undefined),
    refetchInterval: POLL_MS,
  });
  return { ...query, cases: query.data?.pages.flatMap(({ data }) => data) };
}

export const useCounts = () => useApiQuery(COUNTS, (client) => client.GET('/api/admin/desk/counts'));

/** The administrators who can have cases. */
export const useAgents = () => useApiQuery(['support', 'agents'], (client) => client.GET('/api/admin/desk/agents'));

/** A case with its notes, timeline and earlier cases. */
export const useCaseDetail = (id: number) =>
  useApiQuery([...DETAILS, id], (client) => client.GET('/api/admin/desk/cases/{id}', idOf(id)), { everyMs: POLL_MS });

/** The person of a room, and the id of the newest case in it, if there is one. */
export function useCaseOfRoom(uuid: string) {
  const provider = useDataProvider<ServerProvider>();
  const { canDo } = useRights();
  const mayRead = canDo('people', 'get');
  return useQuery({
    queryKey: [...ROOMS, uuid],
    queryFn: async () => {
      const path = { params: { path: { uuid }, query: { limit: 1 } } };
      const { user_id: id } = await provider.request((client) => client.GET('/api/admin/rooms/{uuid}', path));
      const body = { user_id: id, sort: 'newest', pageItems: 1 } as const;
      const { data } = await provider.request((client) => client.POST('/api/admin/desk/casesall', { body }));
      if (data[0]) return { user: data[0].user, caseId: data[0].id };
      const name = mayRead
        ? (await provider.request((client) => client.GET('/api/admin/users/{id}', idOf(id)))).name
        : '';
      return { user: { id, name } };
    },
  });
}

/** Applies a function to every cached case. */
export function changeCases(queries: QueryClient, change: (each: Case) => Case): void {
  queries.setQueriesData<Pages>(
    { queryKey: CASES },
    (cached) => cached && { ...cached, pages: cached.pages.map((page) => ({ ...page, data: page.data.map(change) })) },
  );
  queries.setQueriesData<CaseDetail>({ queryKey: DETAILS }, (cached) => cached && { ...cached, ...change(cached) });
}

/** Fetches cases, counts and details again. */
export function refetchDesk(queries: QueryClient): void {
  for (const queryKey of [CASES, COUNTS, DETAILS, ROOMS]) void restart(queries, queryKey);
}

/** Puts a changed case into the cached lists and fetches its timeline and the counts again. */
export function useApplyCase() {
  const queries = useQueryClient();
  const me = useMe();
  return useCallback(
    (changed: Case) => {
      for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: CASES })) {
        const choice = queryKey[CASES.length] as Choice;
        queries.setQueryData<Pages>(
          queryKey,
          (cached) => cached && { ...cached, pages: withCase(cached.pages, changed, choice, me) },
        );
        // A response on its way may be older than the change.
        if (queries.isFetching({ queryKey, exact: true }) > 0) void restart(queries, queryKey);
      }
      const detail = [...DETAILS, changed.id];
      queries.setQueryData<CaseDetail>(detail, (cached) => cached && { ...cached, ...changed });
      for (const queryKey of [detail, COUNTS, ROOMS]) void restart(queries, queryKey);
    },
    [queries, me],
  );
}

/**
 * Changes a case, and shows the change or the server's refusal. While a change is on its way, further ones are ignored.
 */
export function useChangeCase() {
  const provider = useDataProvider<ServerProvider>();
  const queries = useQueryClient();
  const applyCase = useApplyCase();
  const notify = useNotify();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  const isRunning = useRef(false);
  return async (id: number, body: Change, done: string): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      applyCase(await provider.request((client) => client.PUT('/api/admin/desk/cases/{id}', { ...idOf(id), body })));
      notify(done, { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), { type: 'error' });
      void queries.invalidateQueries({ queryKey: [...DETAILS, id] });
      await logoutIfAccessDenied(error);
    } finally {
      isRunning.current = false;
    }
  };
}
