import type { LiveEvent } from '@tutoring/client';
import type { ServerProvider } from '../data-provider.ts';

type Watch = ServerProvider['watch'];
type State = 'open' | 'broken';

/** A message between tabs. `joined` asks for the stream's state; `standing` answers, for tabs without a state. */
type TabMessage = { event: LiveEvent } | { state: State } | { standing: State } | 'joined';

/**
 * Reads live events through one stream per session and browser. The tab that holds the lock reads the stream and
 * broadcasts its events; when that tab closes, the next one resumes after the last event. Without Web Locks (which need
 * HTTPS or localhost) each tab reads its own stream. Tabs of different sessions do not share a stream.
 */
export async function watchShared(
  session: string,
  watch: Watch,
  ...[onEvent, { signal, onOpen, onBreak }]: Parameters<Watch>
): Promise<void> {
  if (!('locks' in navigator)) return watch(onEvent, { signal, onOpen, onBreak });
  const name = `live-${session}`;
  const channel = new BroadcastChannel(name);
  let lastEventId: string | undefined;
  let current: State | undefined;
  let isReading = false;

  function setState(state: State): void {
    current = state;
    if (state === 'open') onOpen?.();
    else onBreak?.();
  }

  function receive(note: TabMessage): void {
    if (note === 'joined') {
      if (isReading && current) channel.postMessage({ standing: current } satisfies TabMessage);
    } else if ('event' in note) {
      lastEventId = note.event.id || lastEventId;
      onEvent(note.event);
    } else if ('state' in note) setState(note.state);
    else if (current === undefined) setState(note.standing);
  }

  function broadcast(note: TabMessage): void {
    channel.postMessage(note);
    receive(note);
  }

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data);
  channel.postMessage('joined' satisfies TabMessage);
  try {
    await navigator.locks.request(name, { ...(signal && { signal }) }, () => {
      isReading = true;
      const states = { onOpen: () => broadcast({ state: 'open' }), onBreak: () => broadcast({ state: 'broken' }) };
      const from = lastEventId === undefined ? {} : { lastEventId };
      return watch((event) => broadcast({ event }), { ...(signal && { signal }), ...from, ...states });
    });
  } finally {
    channel.close();
  }
}
