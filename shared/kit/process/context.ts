import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  context as activeContext,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
} from '@opentelemetry/api';
import { STOP_TRACES_MS, withTimeout } from './deadlines.ts';
import { reportError } from './error-report.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from './language.ts';

/** The context of a request in logs, events and calls to other services. */
export interface RequestContext {
  requestId: string;
  traceparent?: string;
  /** Language of the answer. It is sent to other services, but not with events. */
  language?: Language;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The given request id if it is well formed, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();

/** A POSIX locale: `fr_FR.UTF-8`, `fr_FR@euro`. */
const LOCALE = /(?<=^|,)([ \t]*[a-z]+(?:[-_][a-z\d]+)*)(?:[.@][\w.@-]*)?/gi;

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The given W3C traceparent if it is well formed. */
export const traceparentOf = (given: string | undefined): string | undefined =>
  given !== undefined && TRACEPARENT.test(given) ? given : undefined;

/** The best match for `Accept-Language`, else the default language. */
export function languageOf(request: {
  headers: { 'accept-language'?: string | undefined };
  acceptsLanguages(...languages: string[]): string | false;
}): Language {
  const { headers } = request;
  const given = headers['accept-language'];
  if (given === undefined) return DEFAULT_LANGUAGE;
  if (/[_.@]/.test(given)) {
    headers['accept-language'] = given.replace(LOCALE, (_locale, tag: string) => tag.replaceAll('_', '-'));
  }
  const best = request.acceptsLanguages(...LANGUAGES);
  return LANGUAGES.find((language) => language === best) ?? DEFAULT_LANGUAGE;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` with `context` as the current context, also in everything that it awaits. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Language of the current request; outside of requests the default language. */
export const currentLanguage = (): Language => storage.getStore()?.language ?? DEFAULT_LANGUAGE;

/** Set by `startTracing` if an endpoint is configured; otherwise spans cost nothing. */
let enabled = false;

/**
 * Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT if it is set; only then the SDK is loaded. The SDK reads the other OTEL_*
 * variables from the environment; OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME override the names given here.
 * Returns a function that flushes and stops within STOP_TRACES_MS; without a collector the last spans are lost.
 */
export async function startTracing(
  service: string,
  env: Record<string, string | undefined>,
): Promise<() => Promise<void>> {
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT']) return () => Promise.resolve();
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const own = resources.resourceFromAttributes({ 'service.name': service, 'service.namespace': 'tutoring' });
  const provider = new NodeTracerProvider({
    resource: own.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  enabled = true;
  return () =>
    withTimeout(
      STOP_TRACES_MS,
      provider.shutdown(),
      () => new Error('the OpenTelemetry collector does not answer'),
    ).catch(() => undefined);
}

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** W3C traceparent of the remote span that caused this one. */
  parent?: string | undefined;
}

const tracer = () => trace.getTracer('tutoring');

const contextOf = (traceparent: string | undefined) =>
  traceparent === undefined ? activeContext.active() : propagation.extract(ROOT_CONTEXT, { traceparent });

/**
 * Runs `work` in a span; a rejection marks the span as failed. Client spans (SQL, commands) are only recorded as part
 * of a trace: otherwise polling jobs would fill the collector with traces of a single span.
 */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const { kind = SpanKind.INTERNAL, attributes = {}, parent } = options;
  if (!enabled || (kind === SpanKind.CLIENT && !trace.getActiveSpan())) return work();
  return tracer().startActiveSpan(name, { kind, attributes }, contextOf(parent), async (span) => {
    try {
      return await work();
    } catch (error) {
      const { type, message = type } = reportError(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * Runs `next` in the span of an incoming request; `next` gets the traceparent for outgoing requests. The span ends with
 * the answer, and `answered` then returns its name and attributes.
 */
export function inServerSpan(
  res: ServerResponse,
  given: string | undefined,
  next: (traceparent: string | undefined) => void,
  answered: () => { name: string; attributes: Attributes },
): void {
  if (!enabled) return next(given);
  const parent = contextOf(given);
  const span = tracer().startSpan('request', { kind: SpanKind.SERVER }, parent);
  res.once('close', () => {
    const { name, attributes } = answered();
    span.updateName(name).setAttributes(attributes).end();
  });
  activeContext.with(trace.setSpan(parent, span), () => next(currentTraceparent() ?? given));
}

/** The W3C traceparent of the current span; undefined when tracing is off. */
export function currentTraceparent(): string | undefined {
  if (!enabled) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(activeContext.active(), carrier);
  return carrier.traceparent;
}

export { SpanKind };
