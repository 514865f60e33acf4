import { AsyncLocalStorage } from 'node:async_hooks';

/** What travels with one request through logs, events and calls to other services. */
export interface RequestContext {
  requestId: string;
  traceparent?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that `currentContext()` answers `context` in everything it awaits. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
