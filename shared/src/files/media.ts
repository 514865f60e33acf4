import { OCTETS } from '../http/serve/download.ts';

/** Image types that carry no metadata worth removing and that nobody shows: served as plain files. */
const PLAIN = new Set(['image/bmp', 'image/x-icon', 'image/icns', 'image/vnd.dwg']);

/**
 * The type of a file by its bytes, whatever its name or header says. `contentType`: under which it is served; only
 * images, audio and video keep theirs.
 */
export async function mediaOf(path: string) {
  const { fileTypeFromFile } = await import('file-type');
  // Its parsers throw on bytes that only begin like a known type.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? OCTETS;
  const [, type] = /^(image|audio|video)\//.exec(mime) ?? [];
  if (type === undefined || PLAIN.has(mime)) return { type: 'file' as const, contentType: OCTETS };
  return { type: type as 'image' | 'audio' | 'video', contentType: mime };
}

const MAX = 255;
const NAMELESS = 'file';

/** Control characters, invisible marks (also of direction), half surrogate pairs, line breaks. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** Also as forms write them. */
const QUOTES = /["'`]|%(?:22|0d|0a)/gi;

/** Cuts a text to so many UTF-16 units, never inside a character. */
function cut(text: string, units: number): string {
  let kept = '';
  for (const letter of text) {
    if (kept.length + letter.length > units) break;
    kept += letter;
  }
  return kept;
}

/**
 * The name under which a file is shown and saved: no path, quotes, control or direction marks, at most 255 characters.
 */
export function cleanFileName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const clean = base.normalize('NFC').replace(UNSEEN, '').replace(QUOTES, '').replace(/\s+/g, ' ').trim();
  const bare = clean.replace(/^\.+/, '').trim();
  if (bare === '') return NAMELESS;
  const [ending = ''] = /\.[^.\s]{1,20}$/.exec(bare) ?? [];
  return bare.length <= MAX ? bare : `${cut(bare.slice(0, -ending.length || undefined), MAX - ending.length)}${ending}`;
}
