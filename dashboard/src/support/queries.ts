import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LiveEvent } from '@tutoring/client';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useLiveEvents } from '../live/live-events.tsx';
import { withLatest, type Message, type Room } from './room.ts';

const PAGE = 50;
/** What somebody else has read is seen after this long: no event says so. */
const REREAD_MS = 60_000;

const ROOMS = ['support', 'rooms'];
const LATEST = [...ROOMS, 'latest'];
const UNANSWERED = [...ROOMS, 'unanswered'];
/** The most rooms that the server gives at once. */
const MOST = 1_000;
const messagesOf = (uuid: string) => ['support', 'messages', uuid];

type Pages<Item> = InfiniteData<Item[], string | number | undefined>;

function useRoomPages(queryKey: string[], limit: number, filter: { unanswered?: true }) {
  const provider = useDataProvider<ServerProvider>();
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }): Promise<Room[]> =>
      provider.ask((client) => client.GET('/api/admin/rooms', { params: { query: { limit, before, ...filter } } })),
    getNextPageParam: (page) => (page.length === limit ? page.at(-1)?.uuid : undefined),
    refetchInterval: REREAD_MS,
  });
}

/** The support rooms, latest activity first: the latest, older ones page by page, and all that wait for an answer. */
export function useRooms() {
  const latest = useRoomPages(LATEST, PAGE, {});
  const unanswered = useRoomPages(UNANSWERED, MOST, { unanswered: true });
  const pages = [latest, unanswered].map(({ data }) => data?.pages.flat());
  const [shown, waiting] = pages;
  const isShown = new Set(shown?.map(({ uuid }) => uuid));
  // What waits and is not among the latest is older than these.
  const rooms = shown && waiting && [...shown, ...waiting.filter(({ uuid }) => !isShown.has(uuid))];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = latest;
  const refetch = () => Promise.all([latest.refetch(), unanswered.refetch()]);
  return { rooms, error: latest.error ?? unanswered.error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage };
}

/** A room's messages, the newest page first, each page chronological. Reading them tells the server that they are read. */
export function useMessages(uuid: string) {
  const provider = useDataProvider<ServerProvider>();
  const queries = useQueryClient();
  return useInfiniteQuery({
    queryKey: messagesOf(uuid),
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before }): Promise<Message[]> => {
      const given = { params: { path: { uuid }, query: { limit: PAGE, before } } };
      const { messages } = await provider.ask((client) => client.GET('/api/admin/rooms/{uuid}', given));
      queries.setQueriesData<Pages<Room>>(
        { queryKey: ROOMS },
        (known) => known && { ...known, pages: known.pages.map(read(uuid)) },
      );
      return messages;
    },
    getNextPageParam: (page) => (page.length === PAGE ? page[0]?.id : undefined),
  });
}

const read = (uuid: string) => (page: Room[]) =>
  page.map((room) =>
    room.uuid === uuid && room.last_message
      ? { ...room, last_message: { ...room.last_message, status: 'read' as const } }
      : room,
  );

/** Whose the room is, where the list does not tell it. */
export function useOwner(uuid: string, isKnown: boolean) {
  const provider = useDataProvider<ServerProvider>();
  return useQuery({
    queryKey: ['support', 'owner', uuid],
    enabled: !isKnown,
    queryFn: async (): Promise<Room['user']> => {
      const path = { params: { path: { uuid }, query: { limit: 1 } } };
      const { user_id: id } = await provider.ask((client) => client.GET('/api/admin/rooms/{uuid}', path));
      return provider.ask((client) => client.GET('/api/admin/users/{id}', { params: { path: { id: String(id) } } }));
    },
  });
}

/** Asks again; what is on its way may have been answered before the change, and a first load would not be repeated. */
async function askAgain(queries: QueryClient, queryKey: string[]): Promise<void> {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}

/** Puts a message into what is shown, from the event stream and after a send; an id that is there already stays once. */
function arrive(queries: QueryClient, message: Message): void {
  const rooms = queries.getQueryData<Pages<Room>>(LATEST);
  const pages = rooms && withLatest(rooms.pages, message);
  if (rooms && pages) queries.setQueryData<Pages<Room>>(LATEST, { ...rooms, pages });
  else void askAgain(queries, ROOMS);
  queries.setQueryData<Pages<Message>>(messagesOf(message.room_uuid), (known) => known && withMessage(known, message));
}

export function useArrivals() {
  const queries = useQueryClient();
  return useCallback((message: Message) => arrive(queries, message), [queries]);
}

function withMessage(known: Pages<Message>, message: Message): Pages<Message> {
  const [newest = [], ...older] = known.pages;
  if (known.pages.flat().some(({ id }) => id === message.id)) return known;
  // Two messages of one moment may arrive in either order.
  const page = [...newest, message].sort((one, other) => one.id - other.id);
  return { ...known, pages: [page, ...older] };
}

const EVENTS = ['support.message', 'message.read', 'resync'] as const;

/** Keeps what is shown as it is at the server, by live events. */
export function useLiveSupport(openUuid: string | undefined): void {
  const queries = useQueryClient();
  const onEvent = useCallback(
    ({ event, data }: Extract<LiveEvent, { event: (typeof EVENTS)[number] }>) => {
      if (event === 'resync') void askAgain(queries, ['support']);
      if (event === 'message.read') {
        const queryKey = messagesOf(data.room_uuid);
        queries.setQueryData<Pages<Message>>(queryKey, (known) => known && withRead(known, data.up_to));
        // An answer on its way may be from before the reading, and would undo it.
        if (queries.isFetching({ queryKey }) > 0) void askAgain(queries, queryKey);
      }
      if (event !== 'support.message') return;
      arrive(queries, data);
      // Seen at once: reading it tells the server so. A tab in the background reads when it is looked at again.
      const isSeen = data.room_uuid === openUuid && document.visibilityState === 'visible';
      if (isSeen) void askAgain(queries, messagesOf(data.room_uuid));
    },
    [queries, openUuid],
  );
  useLiveEvents(EVENTS, onEvent);
}

const withRead = (known: Pages<Message>, upTo: number): Pages<Message> => ({
  ...known,
  pages: known.pages.map((page) =>
    page.map((message) => (message.id <= upTo ? { ...message, status: 'read' as const } : message)),
  ),
});
