import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { DEFAULT_LANGUAGE, type Language } from './language.ts';

/** What travels with one request through logs, events and calls to other services. */
export interface RequestContext {
  requestId: string;
  traceparent?: string;
  /** The language of its answer; it is sent to other services, but not with events. */
  language?: Language;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The given id of a request when it is well formed, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that `currentContext()` returns `context` in everything it awaits. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Language of the current request; the default outside of any. */
export const currentLanguage = (): Language => storage.getStore()?.language ?? DEFAULT_LANGUAGE;
