import { OCTETS } from '../http/serve/download.ts';
import { truncate, utf16Length } from '../language/graphemes.ts';
import { audioTypeOf } from './tracks.ts';

/** Image types without private metadata that browsers do not show: served as plain files. */
const PLAIN = new Set(['image/bmp', 'image/x-icon', 'image/icns', 'image/vnd.dwg']);

/**
 * The type of a file by its bytes, regardless of its name or header. `contentType`: the type with which it is served;
 * only images, audio and video keep theirs. A video container without a video track counts as audio.
 */
export async function mediaOf(path: string) {
  const { fileTypeFromFile } = await import('file-type');
  // file-type throws for bytes that only begin like a known type.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? OCTETS;
  const [, type] = /^(image|audio|video)\//.exec(mime) ?? [];
  if (type === undefined || PLAIN.has(mime)) return { type: 'file' as const, contentType: OCTETS };
  const sound = type === 'video' ? await audioTypeOf(path, mime) : undefined;
  if (sound !== undefined) return { type: 'audio' as const, contentType: sound };
  return { type: type as 'image' | 'audio' | 'video', contentType: mime };
}

const MAX_LENGTH = 255;
const DEFAULT_NAME = 'file';

/** The flag of a region, such as Scotland: a flag followed by invisible tag letters. */
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,16}\u{E007F}/v;
/**
 * Control and direction characters, lone surrogates, line breaks and invisible characters; except joiners and variation
 * selectors, which scripts and emoji need.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FFF9}-\u{FFFB}]|[\p{Default_Ignorable_Code_Point}--[\p{Variation_Selector}\u{34F}\u{200C}\u{200D}]]/v;
const INVISIBLE_OR_FLAG = new RegExp(`(${FLAG.source})|${INVISIBLE.source}`, 'gv');
/** Joiners between nothing, by which two different names could look the same. */
const LOOSE_JOINERS =
  /(?<=^|[\s.\u{34F}\u{200C}\u{200D}])[\u{34F}\u{200C}\u{200D}]+|[\u{34F}\u{200C}\u{200D}]+(?=$|[\s.])/gv;
/** Quotes and line breaks, also percent-encoded as in forms. */
const QUOTES = /["'`]|%(?:22|0d|0a)/gi;

/**
 * The name with which a file is shown and saved: without path, quotes and invisible characters, at most 255 characters.
 */
export function cleanFileName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const seen = base.normalize('NFC').replace(INVISIBLE_OR_FLAG, (_match, flag: string | undefined) => flag ?? '');
  const clean = seen.replace(QUOTES, '').replace(LOOSE_JOINERS, '').replace(/\s+/g, ' ').trim();
  const bare = clean.replace(/^\.+/, '').trim();
  if (bare === '') return DEFAULT_NAME;
  const [ending = ''] = /\.[^.\s]{1,20}$/.exec(bare) ?? [];
  if (bare.length <= MAX_LENGTH) return bare;
  const stem = bare.slice(0, -ending.length || undefined);
  return `${truncate(stem, MAX_LENGTH - ending.length, utf16Length)}${ending}`;
}
