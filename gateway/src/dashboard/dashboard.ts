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

/** Output folder of the dashboard's build, in the repository and in the image. */
const DEFAULT_FOLDER = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));
/** Path of files whose names contain a hash of their content. */
const ASSETS = `${DASHBOARD}/assets/`;
const YEAR_SECONDS = 31_536_000;

/** Whether a path of the dashboard is a page, not a file. */
const isPage = (path: string) => extname(path) === '' && !`${path}/`.startsWith(ASSETS);

/**
 * Content security policy: no inline script, no eval, no other host. The hash is that of the empty text: it allows
 * empty `<style>` elements, into which Emotion inserts its rules by script, but no inline styles.
 */
const policy = (publicUrl: string) => ({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
    'connect-src': ["'self'"],
    // Links to photos and files are absolute.
    'img-src': ["'self'", new URL(publicUrl).origin, 'data:', 'blob:'],
    'media-src': ["'self'", new URL(publicUrl).origin, 'blob:'],
    'font-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
});

/**
 * Serves the built dashboard under `/admin` from disk, with the compressed files of the build. Every path without a
 * file extension, except below `assets`, is answered with the application's page. Without a build, pages are answered
 * with a 404 that says so.
 */
export function createDashboard({ DASHBOARD_FOLDER: folder = DEFAULT_FOLDER, PUBLIC_URL: publicUrl }: GatewayConfig) {
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
    res.once('finish', () => (exchange.status = res.statusCode));
    // The library would leave the file open when the client disconnects before a pipelined answer has begun.
    res.once('pipe', (file: Readable) => {
      if (res.destroyed) file.destroy();
      else res.once('close', () => file.destroy());
    });
    router(req, res, () => {
      // A page gets here only when the build's index.html is missing.
      refuseOwn(res, isPage(exchange.path) ? 'dashboardNotBuilt' : 'routeNotFound');
    });
  };
}
