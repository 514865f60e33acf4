import { useInfiniteQuery, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LiveEvent } from '@tutoring/client';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useLiveEvents, type EventOf } from '../live/live-events.tsx';
import { restart } from '../shared/queries/restart.ts';
import { changeCases, refetchDesk, useApplyCase } from './case-queries.ts';
import { asRead, withMessageOf } from './case.ts';
import type { Message } from './room.ts';

const PAGE_SIZE = 50;
const messagesOf = (uuid: string) => ['support', 'messages', uuid];

type Pages = InfiniteData<Message[], number | undefined>;

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
      changeCases(queries, (each) => asRead(each, uuid));
      return messages;
    },
    getNextPageParam: (page) => (page.length === PAGE_SIZE ? page[0]?.id : undefined),
  });
}

/** Adds a message to the cached messages and cases, from a live event or after a send. Ignores duplicate ids. */
function addMessage(queries: QueryClient, message: Message): void {
  changeCases(queries, (each) => withMessageOf(each, message));
  queries.setQueryData<Pages>(messagesOf(message.room_uuid), (cached) => cached && withMessage(cached, message));
}

export function useAddMessage() {
  const queries = useQueryClient();
  return useCallback((message: Message) => addMessage(queries, message), [queries]);
}

function withMessage(cached: Pages, message: Message): Pages {
  const [newest = [], ...older] = cached.pages;
  if (cached.pages.flat().some(({ id }) => id === message.id)) return cached;
  // Two simultaneous messages may arrive in either order.
  const page = [...newest, message].sort((left, right) => left.id - right.id);
  return { ...cached, pages: [page, ...older] };
}

const EVENTS = ['desk.case', 'support.message', 'message.read', 'resync'] as const;

/** Applies live events to the cached cases and messages. */
export function useLiveSupport(): void {
  const queries = useQueryClient();
  const applyCase = useApplyCase();
  const onEvent = useCallback(
    ({ event, data }: Extract<LiveEvent, { event: (typeof EVENTS)[number] }>) => {
      if (event === 'resync') {
        void restart(queries, ['support', 'messages']);
        refetchDesk(queries);
      }
      if (event === 'desk.case') applyCase(data);
      if (event === 'message.read') {
        const queryKey = messagesOf(data.room_uuid);
        queries.setQueryData<Pages>(queryKey, (cached) => cached && withRead(cached, data.up_to));
        // A response on its way may predate the read event and would undo it.
        if (queries.isFetching({ queryKey }) > 0) void restart(queries, queryKey);
      }
      if (event === 'support.message') addMessage(queries, data);
    },
    [queries, applyCase],
  );
  useLiveEvents(EVENTS, onEvent);
}

const MESSAGES = ['support.message'] as const;

/** Marks new messages of the open room as read. A tab in the background does so when it becomes visible. */
export function useReading(uuid: string): void {
  const queries = useQueryClient();
  const onEvent = useCallback(
    ({ data }: EventOf<'support.message'>) => {
      // Fetching marks a message as read.
      if (data.room_uuid === uuid && document.visibilityState === 'visible') void restart(queries, messagesOf(uuid));
    },
    [queries, uuid],
  );
  useLiveEvents(MESSAGES, onEvent);
}

const withRead = (cached: Pages, upTo: number): Pages => ({
  ...cached,
  pages: cached.pages.map((page) =>
    page.map((message) => (message.id <= upTo ? { ...message, status: 'read' as const } : message)),
  ),
});
