import type { Logger } from '@tutoring/shared/process/logger';
import { REFERENCE_MS } from '../deadlines.ts';
import { inEnvelope, type Part, type Paths } from './document.ts';

/**
 * The public OpenAPI document as JSON text: the services' own documents, as clients see them through this gateway.
 * Cached for a few seconds; for a service that is away the last known part is used.
 */
export function createReference(options: {
  services: Record<string, string>;
  publicUrl: string;
  maxAgeMs: number;
  logger: Logger;
}) {
  const { services, publicUrl, maxAgeMs, logger } = options;
  const parts = new Map<string, Part>();
  let merged: { text: string; at: number } | undefined;
  let underWay: Promise<string> | undefined;

  async function refresh(name: string, url: string): Promise<void> {
    try {
      const answer = await fetch(`${url}/internal/openapi.json`, { signal: AbortSignal.timeout(REFERENCE_MS) });
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
      parts.set(name, withOwnSchemas(name, await answer.text()));
    } catch (error) {
      logger.warn({ err: error, upstream: name }, 'the reference shows what is known of a service');
    }
  }

  async function build(): Promise<string> {
    await Promise.all(Object.entries(services).map(([name, url]) => refresh(name, url)));
    // Copies: what a service has said stays as it is.
    const known = Object.keys(services).flatMap((name) => structuredClone(parts.get(name)) ?? []);
    const text = JSON.stringify(inEnvelope(merge(known), publicUrl));
    merged = { text, at: performance.now() };
    return text;
  }

  return (): Promise<string> => {
    if (merged && performance.now() - merged.at < maxAgeMs) return Promise.resolve(merged.text);
    underWay ??= build().finally(() => (underWay = undefined));
    return underWay;
  };
}

const SCHEMA_REF = '#/components/schemas/';
/** Paths that every service has and that clients never see. */
const INTERNAL_PROBLEM = 'Problem';

/** Two services may use one name for different schemas: each schema gets its service's name as a prefix. */
function withOwnSchemas(service: string, document: string): Part {
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  const rename = (name: string) => (name === INTERNAL_PROBLEM || name.startsWith(prefix) ? name : `${prefix}${name}`);
  const part = JSON.parse(document, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(SCHEMA_REF)
      ? `${SCHEMA_REF}${rename(value.slice(SCHEMA_REF.length))}`
      : value,
  ) as Part;
  const own = Object.entries(part.components.schemas ?? {}).map(([name, schema]): [string, unknown] => [
    rename(name),
    schema,
  ]);
  return { ...part, components: { schemas: Object.fromEntries(own) } };
}

function merge(parts: Part[]) {
  const merged = { paths: {} as Paths, webhooks: {} as Paths, schemas: {} };
  for (const { paths = {}, webhooks, components } of parts) {
    for (const [path, item] of Object.entries(paths)) merged.paths[path] = { ...merged.paths[path], ...item };
    Object.assign(merged.webhooks, webhooks);
    Object.assign(merged.schemas, components.schemas);
  }
  return merged;
}
