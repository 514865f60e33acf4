import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

interface Begun {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Calls `onBegun` when a server of this process gets a request to `path`, until the function that it returns is called. */
export function watchRequests(path: string, onBegun: (begun: Begun) => void): () => void {
  const created = channel('http.server.response.created');
  const listener = (told: unknown) => {
    const begun = told as Begun;
    if (begun.request.url === path) onBegun(begun);
  };
  created.subscribe(listener);
  return () => void created.unsubscribe(listener);
}
