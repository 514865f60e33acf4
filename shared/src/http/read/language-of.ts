import type { Request } from 'express';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../process/language.ts';

/** The best match of `Accept-Language`; the default where there is none. */
export function languageOf(req: Request): Language {
  if (req.headers['accept-language'] === undefined) return DEFAULT_LANGUAGE;
  const best = req.acceptsLanguages(...LANGUAGES);
  return LANGUAGES.find((language) => language === best) ?? DEFAULT_LANGUAGE;
}
