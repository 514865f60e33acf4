import { useCallback, useEffect, useRef, useState } from 'react';
import { useDataProvider } from 'ra-core';
import type { components } from '@tutoring/client/schema';
import type { ServerProvider } from '../data-provider.ts';
import { useLiveEvents, type EventOf } from '../live/live-events.tsx';
import { session } from '../server/current-session.ts';

/* Who looks at which case at the moment, and who types. */

type Presence = components['schemas']['MessagingDeskPresence'];
/** A colleague at a case. */
export type Colleague = Omit<Presence, 'case_id'>;

/** The server forgets a state after 15 seconds. */
const LIFETIME_MS = 15_000;
const REPEAT_MS = 10_000;
const PRUNE_MS = 3_000;
const EVENTS = ['desk.presence'] as const;

type Seen = Presence & { until: number };

/** The colleagues at each case, without `me`, and a function that adds those of an answer. */
export function useColleagues(me: number | undefined) {
  const [seen, setSeen] = useState<Seen[]>([]);
  const add = useCallback(
    (given: Presence[]) =>
      setSeen((before) => {
        const until = Date.now() + LIFETIME_MS;
        const isReplaced = (each: Seen) => given.some(({ case_id, id }) => case_id === each.case_id && id === each.id);
        const added = given.filter(({ id, state }) => id !== me && state !== 'left');
        return [...before.filter((each) => !isReplaced(each)), ...added.map((each) => ({ ...each, until }))];
      }),
    [me],
  );
  useLiveEvents(
    EVENTS,
    useCallback(({ data }: EventOf<'desk.presence'>) => add([data]), [add]),
  );
  const isAny = seen.length > 0;
  useEffect(() => {
    if (!isAny) return;
    const pruning = setInterval(() => setSeen((before) => before.filter(({ until }) => until > Date.now())), PRUNE_MS);
    return () => clearInterval(pruning);
  }, [isAny]);
  const at = (caseId: number): Colleague[] => seen.filter(({ case_id }) => case_id === caseId);
  return { at, add };
}

export type Colleagues = ReturnType<typeof useColleagues>;

/** Tells the desk that this administrator looks at a case while the page is visible. Call the result on each input. */
export function useAnnounce(caseId: number, add: Colleagues['add']): () => void {
  const provider = useDataProvider<ServerProvider>();
  const last = useRef<{ typedAt: number; sent: Presence['state'] }>({ typedAt: 0, sent: 'left' });
  const send = useCallback(
    async (state: Presence['state']) => {
      last.current.sent = state;
      if (session.token() === undefined) return;
      const body = { case_id: caseId, state };
      try {
        const { others } = await provider.request((client) => client.PUT('/api/admin/desk/presence', { body }));
        if (state !== 'left') add(others.map((each) => ({ ...each, case_id: caseId })));
      } catch {
        // Presence is a hint: it is sent again soon, and every other request shows its own errors.
      }
    },
    [provider, caseId, add],
  );
  useEffect(() => {
    const isVisible = () => document.visibilityState === 'visible';
    const tell = () => {
      if (isVisible()) void send(Date.now() - last.current.typedAt < REPEAT_MS ? 'typing' : 'viewing');
    };
    const onVisibility = () => (isVisible() ? tell() : void send('left'));
    const repeating = setInterval(tell, REPEAT_MS);
    tell();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(repeating);
      document.removeEventListener('visibilitychange', onVisibility);
      void send('left');
    };
  }, [send]);
  return useCallback(() => {
    last.current.typedAt = Date.now();
    if (last.current.sent !== 'typing') void send('typing');
  }, [send]);
}
