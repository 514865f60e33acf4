import { onlineManager } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { LiveEvent } from '@tutoring/client';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { session } from '../server/current-session.ts';
import { watchTogether } from './shared-stream.ts';

type Listener = (event: LiveEvent) => void;
type Listen = (listener: Listener) => () => void;

const ListenContext = createContext<Listen>(() => () => undefined);
const BrokenContext = createContext(false);

const subscribeToOnline = (onChange: () => void) => onlineManager.subscribe(onChange);

/** Whether live events do not come at present: what is shown may be old. */
export function useInterrupted(): boolean {
  const isOnline = useSyncExternalStore(subscribeToOnline, () => onlineManager.isOnline());
  return useContext(BrokenContext) || !isOnline;
}

/** One stream of live events for all that is on the page, and for the other pages of this browser. */
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
    // What happened between the first look at a page and the opening of the stream did not come by it.
    const onOpen = () => {
      setBroken(false);
      deliver({ event: 'resync', id: '', data: { message: 'Fetch again.' } });
    };
    const onBreak = () => setBroken(true);
    // Broken connections come again by themselves: what ends the stream is a refusal, which signs out.
    // The id of a bearer comes before its secret.
    const [id = ''] = session.token()?.split('|') ?? [];
    const options = { signal: stop.signal, onOpen, onBreak };
    watchTogether(id, provider.watch, deliver, options).catch(() => undefined);
    return () => stop.abort();
  }, [provider, listeners]);
  return (
    <ListenContext value={listen}>
      <BrokenContext value={isBroken}>{children}</BrokenContext>
    </ListenContext>
  );
}

type Name = LiveEvent['event'];
/** The live event of a name. */
export type EventOf<Of extends Name> = Extract<LiveEvent, { event: Of }>;

/**
 * Calls `onEvent` with every live event of these names while the component is shown. `resync` means that some were missed:
 * fetch again. Keep `names` and `onEvent` the same between renders (a constant, `useCallback`).
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
