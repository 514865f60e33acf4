import { onlineManager } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { LiveEvent } from '@tutoring/client';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { session } from '../server/current-session.ts';
import { watchShared } from './shared-stream.ts';

type Listener = (event: LiveEvent) => void;
type Listen = (listener: Listener) => () => void;

const ListenContext = createContext<Listen>(() => () => undefined);
const BrokenContext = createContext(false);

const subscribeToOnline = (onChange: () => void) => onlineManager.subscribe(onChange);

/** Whether live events are interrupted, so that the page may be out of date. */
export function useInterrupted(): boolean {
  const isOnline = useSyncExternalStore(subscribeToOnline, () => onlineManager.isOnline());
  return useContext(BrokenContext) || !isOnline;
}

/** Provides one stream of live events to all components, shared with the other tabs of this browser. */
export function LiveEvents({ children }: { children: ReactNode }) {
  const provider = useDataProvider<ServerProvider>();
  const [listeners] = useState(() => new Set<Listener>());
  const [isBroken, setBroken] = useState(false);
  const [listen] = useState(() => (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
  useEffect(() => {
    const stop = new AbortController();
    const deliver = (event: LiveEvent) => [...listeners].forEach((listener) => listener(event));
    // Events between the first fetch of a page and the opening of the stream were missed.
    const onOpen = () => {
      setBroken(false);
      deliver({ event: 'resync', id: '', data: { message: 'Fetch again.' } });
    };
    const onBreak = () => setBroken(true);
    // The client reconnects by itself; only a refusal ends the stream, and it signs out.
    // A bearer token is `id|secret`.
    const [id = ''] = session.token()?.split('|') ?? [];
    const options = { signal: stop.signal, onOpen, onBreak };
    watchShared(id, provider.watch, deliver, options).catch(() => undefined);
    return () => stop.abort();
  }, [provider, listeners]);
  return (
    <ListenContext value={listen}>
      <BrokenContext value={isBroken}>{children}</BrokenContext>
    </ListenContext>
  );
}

type Name = LiveEvent['event'];
/** The live event with a given name. */
export type EventOf<Of extends Name> = Extract<LiveEvent, { event: Of }>;

/**
 * Calls `onEvent` with every live event of these names while the component is mounted. On `resync`, events were missed:
 * fetch again. `names` and `onEvent` must be stable between renders (a constant, `useCallback`).
 */
export function useLiveEvents<Of extends Name>(names: readonly Of[], onEvent: (event: EventOf<Of>) => void): void {
  const listen = useContext(ListenContext);
  useEffect(() => {
    const isWanted = (event: LiveEvent): event is EventOf<Of> => names.some((name) => name === event.event);
    return listen((event) => {
      if (isWanted(event)) onEvent(event);
    });
  }, [listen, names, onEvent]);
}
