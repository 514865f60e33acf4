import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

interface Begun {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Calls `onBegun` for each request to `path` at a server of this process. Returns a function that stops this. */
export function watchRequests(path: string, onBegun: (begun: Begun) => void): () => void {
  const created = channel('http.server.response.created');
  const listener = (message: unknown) => {
    const begun = message as Begun;
    if (begun.request.url === path) onBegun(begun);
  };
  created.subscribe(listener);
  return () => void created.unsubscribe(listener);
}
