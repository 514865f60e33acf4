import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LiveEvent } from '@tutoring/client';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useLiveEvents } from '../live/live-events.tsx';
import { withLatest, type Message, type Room } from './room.ts';

const PAGE_SIZE = 50;
/** Polling interval. No event tells that another administrator has read a room. */
const POLL_MS = 60_000;

const ROOMS = ['support', 'rooms'];
const LATEST = [...ROOMS, 'latest'];
const UNANSWERED = [...ROOMS, 'unanswered'];
/** The server's maximum page size. */
const MAX_ROOMS = 1_000;
const messagesOf = (uuid: string) => ['support', 'messages', uuid];

type Pages<Item> = InfiniteData<Item[], string | number | undefined>;

function useRoomPages(queryKey: string[], limit: number, filter: { unanswered?: true }) {
  const provider = useDataProvider<ServerProvider>();
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }): Promise<Room[]> =>
      provider.request((client) => client.GET('/api/admin/rooms', { params: { query: { limit, before, ...filter } } })),
    getNextPageParam: (page) => (page.length === limit ? page.at(-1)?.uuid : undefined),
    refetchInterval: POLL_MS,
  });
}

/** The support rooms: pages by latest activity, newest first, followed by all other unanswered rooms. */
export function useRooms() {
  const latest = useRoomPages(LATEST, PAGE_SIZE, {});
  const unanswered = useRoomPages(UNANSWERED, MAX_ROOMS, { unanswered: true });
  const pages = [latest, unanswered].map(({ data }) => data?.pages.flat());
  const [shown, waiting] = pages;
  const isShown = new Set(shown?.map(({ uuid }) => uuid));
  // Unanswered rooms outside these pages are older than the rooms in them.
  const rooms = shown && waiting && [...shown, ...waiting.filter(({ uuid }) => !isShown.has(uuid))];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = latest;
  const refetch = () => Promise.all([latest.refetch(), unanswered.refetch()]);
  return { rooms, error: latest.error ?? unanswered.error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage };
}

/** A room's messages, newest page first, each page chronological. Fetching them marks them as read at the server. */
export function useMessages(uuid: string) {
  const provider = useDataProvider<ServerProvider>();
  const queries = useQueryClient();
  return useInfiniteQuery({
    queryKey: messagesOf(uuid),
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before }): Promise<Message[]> => {
      const options = { params: { path: { uuid }, query: { limit: PAGE_SIZE, before } } };
      const { messages } = await provider.request((client) => client.GET('/api/admin/rooms/{uuid}', options));
      queries.setQueriesData<Pages<Room>>(
        { queryKey: ROOMS },
        (cached) => cached && { ...cached, pages: cached.pages.map(markRead(uuid)) },
      );
      return messages;
    },
    getNextPageParam: (page) => (page.length === PAGE_SIZE ? page[0]?.id : undefined),
  });
}

const markRead = (uuid: string) => (page: Room[]) =>
  page.map((room) =>
    room.uuid === uuid && room.last_message
      ? { ...room, last_message: { ...room.last_message, status: 'read' as const } }
      : room,
  );

/** Fetches the room's user if the list of rooms does not have it. */
export function useOwner(uuid: string, isKnown: boolean) {
  const provider = useDataProvider<ServerProvider>();
  return useQuery({
    queryKey: ['support', 'owner', uuid],
    enabled: !isKnown,
    queryFn: async (): Promise<Room['user']> => {
      const path = { params: { path: { uuid }, query: { limit: 1 } } };
      const { user_id: id } = await provider.request((client) => client.GET('/api/admin/rooms/{uuid}', path));
      return provider.request((client) =>
        client.GET('/api/admin/users/{id}', { params: { path: { id: String(id) } } }),
      );
    },
  });
}

/** Restarts a query. A response on its way may be older than the change, and a first load is not invalidated. */
async function restart(queries: QueryClient, queryKey: string[]): Promise<void> {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}

/** Adds a message to the cached rooms and messages, from a live event or after a send. Ignores duplicate ids. */
function addMessage(queries: QueryClient, message: Message): void {
  const rooms = queries.getQueryData<Pages<Room>>(LATEST);
  const pages = rooms && withLatest(rooms.pages, message);
  if (rooms && pages) queries.setQueryData<Pages<Room>>(LATEST, { ...rooms, pages });
  else void restart(queries, ROOMS);
  queries.setQueryData<Pages<Message>>(
    messagesOf(message.room_uuid),
    (cached) => cached && withMessage(cached, message),
  );
}

export function useAddMessage() {
  const queries = useQueryClient();
  return useCallback((message: Message) => addMessage(queries, message), [queries]);
}

function withMessage(cached: Pages<Message>, message: Message): Pages<Message> {
  const [newest = [], ...older] = cached.pages;
  if (cached.pages.flat().some(({ id }) => id === message.id)) return cached;
  // Two simultaneous messages may arrive in either order.
  const page = [...newest, message].sort((left, right) => left.id - right.id);
  return { ...cached, pages: [page, ...older] };
}

const EVENTS = ['support.message', 'message.read', 'resync'] as const;

/** Applies live events to the cached rooms and messages. */
export function useLiveSupport(openUuid: string | undefined): void {
  const queries = useQueryClient();
  const onEvent = useCallback(
    ({ event, data }: Extract<LiveEvent, { event: (typeof EVENTS)[number] }>) => {
      if (event === 'resync') void restart(queries, ['support']);
      if (event === 'message.read') {
        const queryKey = messagesOf(data.room_uuid);
        queries.setQueryData<Pages<Message>>(queryKey, (cached) => cached && withRead(cached, data.up_to));
        // A response on its way may predate the read event and would undo it.
        if (queries.isFetching({ queryKey }) > 0) void restart(queries, queryKey);
      }
      if (event !== 'support.message') return;
      addMessage(queries, data);
      // Fetching marks a visible message as read. A tab in the background fetches when it becomes visible.
      const isSeen = data.room_uuid === openUuid && document.visibilityState === 'visible';
      if (isSeen) void restart(queries, messagesOf(data.room_uuid));
    },
    [queries, openUuid],
  );
  useLiveEvents(EVENTS, onEvent);
}

const withRead = (cached: Pages<Message>, upTo: number): Pages<Message> => ({
  ...cached,
  pages: cached.pages.map((page) =>
    page.map((message) => (message.id <= upTo ? { ...message, status: 'read' as const } : message)),
  ),
});
