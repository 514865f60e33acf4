import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';

/*
 * The classes of the requests and responses of a server. They are its own for two reasons, each of which would be a
 * cost per request otherwise:
 * - Express sets the prototypes of each request and response to those of the app. An object whose prototype changes
 *   invalidates V8's inline caches, which slows down all code that reads a request. Here the objects have these
 *   prototypes from the start, and Express finds nothing to change.
 * - Node's HTTP server keeps a parser and buffers for each open connection. It gives them up only for an upgrade, so
 *   requests with long-lived answers claim to be one.
 */

/**
 * Not imported: an import reads all exports of node:http, and `WebSocket` loads undici, which takes 14 MB per process.
 */
export const http = process.getBuiltinModule('node:http');

/**
 * A request class that makes Node release the connections of selected requests after the headers, as for an upgrade.
 */
const releasedRequests = (isLongLived: (request: IncomingMessage) => boolean) =>
  class extends http.IncomingMessage {
    get upgrade(): boolean {
      return isLongLived(this);
    }
    /** Ignores the value that Node derives from the header `Upgrade`. */
    set upgrade(_value: boolean | null) {
      return;
    }
  };

/** Classes of requests and responses for one server. `isLongLived` selects requests with long-lived answers. */
export function createMessageClasses(isLongLived?: (request: IncomingMessage) => boolean) {
  const Incoming = isLongLived ? releasedRequests(isLongLived) : class extends http.IncomingMessage {};
  const Outgoing = class extends http.ServerResponse {};
  return {
    Incoming,
    Outgoing,
    /** Gives requests and responses the prototypes of the app, and the app these classes. */
    usePrototypes: (app: Express): void => {
      Object.setPrototypeOf(Incoming.prototype, app.request);
      Object.setPrototypeOf(Outgoing.prototype, app.response);
      Object.assign(app, { request: Incoming.prototype, response: Outgoing.prototype });
    },
  };
}
