import type { Request } from 'express';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../process/language.ts';

/** The best match of `Accept-Language`; the default where there is none. */
export function languageOf(req: Request): Language {
  if (req.headers['accept-language'] === undefined) return DEFAULT_LANGUAGE;
  const best = req.acceptsLanguages(...LANGUAGES);
  return LANGUAGES.find((language) => language === best) ?? DEFAULT_LANGUAGE;
}

const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Path and query of a request line. The host of an absolute form (`http://host/api/skills`) is ignored, so that a
 * client cannot choose another host; a path that does not decode (`%ff`) is taken literally, so that it is an unknown
 * one.
 */
export function originForm(target: string): string {
  const rest = target.replace(AUTHORITY, '');
  const local = rest.startsWith('/') ? rest : `/${rest}`;
  if (!local.includes('%')) return local;
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  return decodes(path) ? local : path.replaceAll('%', '%25') + local.slice(path.length);
}
