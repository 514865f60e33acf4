import { AsyncLocalStorage } from 'node:async_hooks';
import { DEFAULT_LANGUAGE, type Language } from './language.ts';

/** What travels with one request through logs, events and calls to other services. */
export interface RequestContext {
  requestId: string;
  traceparent?: string;
  /** What its answer is written in; it goes to other services, but with no event. */
  language?: Language;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that `currentContext()` answers `context` in everything it awaits. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Of the request under way; the default outside of any. */
export const currentLanguage = (): Language => storage.getStore()?.language ?? DEFAULT_LANGUAGE;
