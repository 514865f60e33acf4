import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { createCache } from '@tutoring/shared/kit/cache';
import type { Language } from '@tutoring/shared/kit/process/language';
import type { Parts } from '../parts.ts';
import { REFERENCE_MS } from '../deadlines.ts';
import { exchangeOf } from '../exchange/exchange.ts';
import { headersOf, JSON_TYPE, refuse, refuseMethod, refuseOwn } from '../exchange/respond.ts';
import { texts } from '../texts.ts';
import { inEnvelope, type Part, type Paths } from './document.ts';
import { inStrictEnvelope } from './strict.ts';

/**
 * The public OpenAPI document as JSON text, by envelope: the services' documents as clients see them through this
 * gateway. Cached for a few seconds. The last known document of an unreachable service is used.
 */
function createReference({ config, services, timings, logger }: Parts) {
  const documents = new Map<string, Part>();

  async function refresh(name: string, url: string): Promise<void> {
    try {
      const answer = await fetch(`${url}/internal/openapi.json`, { signal: AbortSignal.timeout(REFERENCE_MS) });
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
      documents.set(name, withOwnSchemas(name, await answer.text()));
    } catch (error) {
      logger.warn(
        { err: error, upstream: name },
        'the API document of a service could not be fetched: the last known one is used',
      );
    }
  }

  return createCache(async () => {
    await Promise.all(Object.entries(services).map(([name, url]) => refresh(name, url)));
    // Copies, because `inEnvelope` changes the documents.
    const known = Object.keys(services).flatMap((name) => structuredClone(documents.get(name)) ?? []);
    const document = inEnvelope(merge(known), config.PUBLIC_URL);
    const text = (value: object) => Buffer.from(JSON.stringify(value));
    let strict: Buffer | undefined;
    return { standard: text(document), strict: () => (strict ??= text(inStrictEnvelope(document))) };
  }, timings.referenceAge);
}

const SCHEMA_REF = '#/components/schemas/';
/** The schema of every service that clients never see. */
const INTERNAL_PROBLEM = 'Problem';

/** Prefixes schema names with the service's name, because services may use the same name for different schemas. */
function withOwnSchemas(service: string, document: string): Part {
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  const { components } = JSON.parse(document) as Part;
  const names = new Set(Object.keys(components.schemas ?? {}));
  const isOwn = (name: string) => name.startsWith(prefix) && !names.has(name.slice(prefix.length));
  const rename = (name: string) => (name === INTERNAL_PROBLEM || isOwn(name) ? name : `${prefix}${name}`);
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

const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The page around the reference, which itself is in English. */
const page = (language: Language) => `<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${texts[language].referenceTitle}</title>
  <link rel="icon" href="/api/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
  <div id="reference"${language === 'en' ? '' : ' lang="en"'}></div>
  <script src="/api/docs/swagger-ui-bundle.js"></script>
  <script src="/api/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
`;

type StaticFile = { type: string; content: (language: Language) => Promise<Buffer> };

const packaged = (type: string, name: string): StaticFile => ({
  type,
  content: createCache(() => readFile(join(PACKAGE, name)), Infinity),
});

/** Everything that the page needs, so that it works without the internet. */
const FILES: Record<string, StaticFile> = {
  '/api/docs': { type: 'text/html; charset=utf-8', content: async (language) => Buffer.from(page(language)) },
  '/api/docs/start.js': { type: 'text/javascript; charset=utf-8', content: async () => Buffer.from(START) },
  '/api/docs/swagger-ui.css': packaged('text/css; charset=utf-8', 'swagger-ui.css'),
  '/api/docs/swagger-ui-bundle.js': packaged('text/javascript; charset=utf-8', 'swagger-ui-bundle.js'),
  '/api/docs/favicon-32x32.png': packaged('image/png', 'favicon-32x32.png'),
};

/** The query field `envelope`; undefined when it is absent or empty. */
const envelopeOf = ({ req }: Response) =>
  new URL(req.url, 'http://gateway').searchParams.getAll('envelope').join().trim() || undefined;

const CHUNK_BYTES = 64 * 1024;

/** Chunks of a buffer that all readers share and read at their own pace. */
function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}

/** `GET api/docs` and `GET api/openapi.json`. */
export function createDocs(parts: Parts) {
  const reference = createReference(parts);
  const documents = new Map<string | undefined, StaticFile>([
    [undefined, { type: JSON_TYPE, content: async () => (await reference()).standard }],
    ['strict', { type: JSON_TYPE, content: async () => (await reference()).strict() }],
  ]);

  return async (res: Response): Promise<void> => {
    const exchange = exchangeOf(res);
    const isDocument = exchange.path === '/api/openapi.json';
    const file = isDocument ? documents.get(envelopeOf(res)) : FILES[exchange.path];
    if (!file && !isDocument) return refuseOwn(res, 'routeNotFound');
    if (exchange.method !== 'GET') return refuseMethod(res, 'GET, OPTIONS');
    if (!file) {
      const message = texts[exchange.language].selectedEnvelope;
      return refuse(res, 422, { code: 'invalid', message, errors: { envelope: [message] } });
    }
    const content = await file.content(exchange.language);
    const headers = ['Content-Type', file.type, 'Content-Length', String(content.length)];
    res.writeHead(200, headersOf(exchange, 200, headers));
    Readable.from(chunksOf(content)).pipe(res);
  };
}
