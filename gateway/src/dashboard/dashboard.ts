import type { ServerResponse } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Router, type Request, type Response } from 'express';
import staticGzip from 'express-static-gzip';
import type { GatewayConfig } from '../config.ts';
import { exchangeOf } from '../exchange/exchange.ts';
import { refuseMethod, refuseOwn, securityHeaders } from '../exchange/respond.ts';
import { DASHBOARD } from '../exchange/routes.ts';

/** Where the dashboard's build puts it, in the repository and in the image. */
const BUILT = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));
/** Their names hold a hash of their content. */
const HASHED = `${DASHBOARD}/assets/`;
const YEAR_SECONDS = 31_536_000;

/** Whether a path of the dashboard is a page of it, and no file. */
const isPage = (path: string) => extname(path) === '' && !`${path}/`.startsWith(HASHED);

/**
 * No inline script, no eval, no other host. The one hash is that of the empty text: it allows `<style>` elements without
 * content, into which Emotion inserts its rules by script; an inline style with content stays forbidden.
 */
const policy = (publicUrl: string) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
    'connect-src': ["'self'"],
    // Photos and files have absolute links.
    'img-src': ["'self'", new URL(publicUrl).origin, 'data:', 'blob:'],
    'media-src': ["'self'", new URL(publicUrl).origin, 'blob:'],
    'font-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
});

/**
 * Serves the built dashboard of `folder` under `/admin` from disk, compressed as the build left it. Every path without a
 * file extension is a page of the application, but those below `assets`. Without a build every path is unknown, and says why.
 */
export function createDashboard({ DASHBOARD_FOLDER: folder = BUILT, PUBLIC_URL: publicUrl }: GatewayConfig) {
  const secure = securityHeaders({
    contentSecurityPolicy: policy(publicUrl),
    referrerPolicy: { policy: 'same-origin' },
  });
  const hashed = join(resolve(folder), 'assets', sep);
  const setHeaders = (res: ServerResponse, file: string) => {
    for (let n = 0; n < secure.length; n += 2) res.setHeader(secure[n] ?? '', secure[n + 1] ?? '');
    res.setHeader('X-Request-Id', exchangeOf(res).id);
    res.setHeader('Cache-Control', file.startsWith(hashed) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  };
  const files = staticGzip(resolve(folder), {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    serveStatic: { setHeaders, redirect: false, acceptRanges: false },
  });

  const router = Router();
  router.use(DASHBOARD, files);
  router.use(DASHBOARD, (req, res, next) => {
    if (!isPage(exchangeOf(res).path)) return next();
    req.url = '/index.html';
    files(req, res, next);
  });

  return (req: Request, res: Response): void => {
    const exchange = exchangeOf(res);
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(res, 'GET, HEAD');
    res.once('finish', () => (exchange.answered = res.statusCode));
    // The library does not notice that an answer ends which waits for those before it on its connection.
    res.once('pipe', (file: Readable) => {
      if (res.destroyed) file.destroy();
      else res.once('close', () => file.destroy());
    });
    router(req, res, () => {
      // The build's index.html would have answered a page.
      refuseOwn(res, isPage(exchange.path) ? 'dashboardNotBuilt' : 'routeNotFound');
    });
  };
}
