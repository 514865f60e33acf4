import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Response } from 'express';
import type { Language } from '@tutoring/shared/process/language';
import { exchangeOf } from '../exchange/exchange.ts';
import { headersOf, JSON_TYPE, refuseMethod, refuseOwn } from '../exchange/respond.ts';
import { texts } from '../texts.ts';
import { createReference } from './reference.ts';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The reference itself is in English. */
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

type File = { type: string; content: (language: Language) => Promise<Buffer> };

const packaged = (type: string, name: string): File => {
  let content: Promise<Buffer> | undefined;
  return { type, content: () => (content ??= readFile(join(PACKAGE, name))) };
};

/** Everything that the page needs is served from here: it works without the internet. */
const FILES: Record<string, File> = {
  '/api/docs': { type: 'text/html; charset=utf-8', content: async (language) => Buffer.from(page(language)) },
  '/api/docs/start.js': { type: 'text/javascript; charset=utf-8', content: async () => Buffer.from(START) },
  '/api/docs/swagger-ui.css': packaged('text/css; charset=utf-8', 'swagger-ui.css'),
  '/api/docs/swagger-ui-bundle.js': packaged('text/javascript; charset=utf-8', 'swagger-ui-bundle.js'),
  '/api/docs/favicon-32x32.png': packaged('image/png', 'favicon-32x32.png'),
};

/** `GET api/docs` and `GET api/openapi.json`. */
export function createDocs(options: Parameters<typeof createReference>[0]) {
  const reference = createReference(options);
  const document: File = { type: JSON_TYPE, content: async () => Buffer.from(await reference()) };

  return async (res: Response): Promise<void> => {
    const exchange = exchangeOf(res);
    const file = exchange.path === '/api/openapi.json' ? document : FILES[exchange.path];
    if (!file) return refuseOwn(res, 'routeNotFound');
    if (exchange.method !== 'GET') return refuseMethod(res, 'GET, OPTIONS');
    const content = await file.content(exchange.language);
    const headers = ['Content-Type', file.type, 'Content-Length', String(content.length)];
    res.writeHead(200, headersOf(exchange, 200, headers)).end(content);
  };
}
