import {
  context as activeContext,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api';
import { reportError } from './error-report.ts';

let enabled = false;

/** True once `startTracing` found an endpoint; without one nothing here costs anything. */
export const tracingEnabled = () => enabled;

/**
 * Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT when it is set (the usual OTEL_* variables apply). Returns how to flush
 * and stop. The SDK is loaded only then.
 */
export async function startTracing(
  service: string,
  env: Record<string, string | undefined>,
): Promise<() => Promise<void>> {
  if (!env['OTEL_EXPORTER_OTLP_ENDPOINT']) return () => Promise.resolve();
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'tutoring' }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  enabled = true;
  return () => provider.shutdown();
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

function fail(span: Span, error: unknown): void {
  const { type, message = type } = reportError(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Runs `work` as a span that ends when its promise does; a rejection marks it as failed. */
export async function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!enabled) return work();
  const { kind = SpanKind.INTERNAL, attributes = {}, parent } = options;
  return tracer().startActiveSpan(name, { kind, attributes }, contextOf(parent), async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Opens the span of an incoming request and runs `next` inside it; the answer ends it. */
export function serverSpan(traceparent: string | undefined, name: string, next: () => void): Span | undefined {
  if (!enabled) {
    next();
    return undefined;
  }
  const parent = contextOf(traceparent);
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER }, parent);
  activeContext.with(trace.setSpan(parent, span), next);
  return span;
}

/** The W3C traceparent of the current span, to send along; undefined when tracing is off. */
export function currentTraceparent(): string | undefined {
  if (!enabled) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(activeContext.active(), carrier);
  return carrier.traceparent;
}

export { SpanKind };
