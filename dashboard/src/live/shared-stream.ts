import type { LiveEvent } from '@tutoring/client';
import type { ServerProvider } from '../data-provider.ts';

type Watch = ServerProvider['watch'];
type State = 'open' | 'broken';

/** A message between tabs. `joined` asks for the stream's state; `standing` answers, for tabs without a state. */
type Note = { event: LiveEvent } | { state: State } | { standing: State } | 'joined';

/**
 * Reads live events through one stream per session and browser. The tab that holds the lock reads the stream and
 * broadcasts its events; when that tab closes, the next one resumes after the last event. Without Web Locks (which need
 * HTTPS or localhost) each tab reads its own stream. Tabs of different sessions do not share a stream.
 */
export async function watchTogether(
  session: string,
  watch: Watch,
  ...[onEvent, { signal, onOpen, onBreak }]: Parameters<Watch>
): Promise<void> {
  if (!('locks' in navigator)) return watch(onEvent, { signal, onOpen, onBreak });
  const name = `live-${session}`;
  const channel = new BroadcastChannel(name);
  let lastEventId: string | undefined;
  let known: State | undefined;
  let isReading = false;

  function enter(state: State): void {
    known = state;
    if (state === 'open') onOpen?.();
    else onBreak?.();
  }

  function take(note: Note): void {
    if (note === 'joined') {
      if (isReading && known) channel.postMessage({ standing: known } satisfies Note);
    } else if ('event' in note) {
      lastEventId = note.event.id || lastEventId;
      onEvent(note.event);
    } else if ('state' in note) enter(note.state);
    else if (known === undefined) enter(note.standing);
  }

  function tell(note: Note): void {
    channel.postMessage(note);
    take(note);
  }

  channel.onmessage = ({ data }: MessageEvent<Note>) => take(data);
  channel.postMessage('joined' satisfies Note);
  try {
    await navigator.locks.request(name, { ...(signal && { signal }) }, () => {
      isReading = true;
      const states = { onOpen: () => tell({ state: 'open' }), onBreak: () => tell({ state: 'broken' }) };
      const from = lastEventId === undefined ? {} : { lastEventId };
      return watch((event) => tell({ event }), { ...(signal && { signal }), ...from, ...states });
    });
  } finally {
    channel.close();
  }
}
