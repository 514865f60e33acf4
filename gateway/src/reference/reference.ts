import type { Logger } from '@tutoring/shared/process/logger';
import { REFERENCE_MS } from '../deadlines.ts';
import { inEnvelope, type Document } from './document.ts';

type Json = Record<string, unknown>;

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
  const parts = new Map<string, Document>();
  let merged: { text: string; at: number } | undefined;
  let underWay: Promise<string> | undefined;

  async function refresh(name: string, url: string): Promise<void> {
    try {
      const answer = await fetch(`${url}/internal/openapi.json`, { signal: AbortSignal.timeout(REFERENCE_MS) });
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
      parts.set(name, (await answer.json()) as Document);
    } catch (error) {
      options.logger.warn({ err: error, upstream: name }, 'the reference shows what is known of a service');
    }
  }

  async function build(): Promise<string> {
    const services = Object.entries(options.services);
    await Promise.all(services.map(([name, url]) => refresh(name, url)));
    const known = services.flatMap(([name]) => {
      const part = parts.get(name);
      return part ? [withOwnSchemas(name, part)] : [];
    });
    const text = JSON.stringify(inEnvelope(merge(known), options.publicUrl));
    merged = { text, at: performance.now() };
    return text;
  }

  return (): Promise<string> => {
    if (merged && performance.now() - merged.at < options.maxAgeMs) return Promise.resolve(merged.text);
    underWay ??= build().finally(() => (underWay = undefined));
    return underWay;
  };
}

const SCHEMA_REF = '#/components/schemas/';
/** Paths that every service has and that clients never see. */
const INTERNAL_PROBLEM = 'Problem';

/** Two services may use one name for different schemas: each schema gets its service's name as a prefix. */
function withOwnSchemas(service: string, part: Document): Document {
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  const rename = (name: string) => (name === INTERNAL_PROBLEM || name.startsWith(prefix) ? name : `${prefix}${name}`);
  const text = JSON.stringify(part).replace(/"#\/components\/schemas\/([^"]+)"/g, (_all, name: string) =>
    JSON.stringify(`${SCHEMA_REF}${rename(name)}`),
  );
  const renamed = JSON.parse(text) as Document;
  const schemas = Object.entries(renamed.components?.schemas ?? {}).map(([name, schema]) => [rename(name), schema]);
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(schemas) as Json } };
}

function merge(parts: Document[]): Document {
  const paths: Document['paths'] = {};
  const webhooks: Document['paths'] = {};
  const schemas: Json = {};
  for (const part of parts) {
    for (const [path, item] of Object.entries(part.paths ?? {})) paths[path] = { ...paths[path], ...item };
    Object.assign(webhooks, part.webhooks);
    Object.assign(schemas, part.components.schemas);
  }
  return { openapi: '3.1.0', info: {}, paths, webhooks, components: { schemas } };
}
