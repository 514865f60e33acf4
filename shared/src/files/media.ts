import { OCTETS } from '../http/serve/download.ts';
import { beginningOf, inUnits } from '../language/graphemes.ts';
import { soundOf } from './tracks.ts';

/** Image types that carry no metadata worth removing and that nobody shows: served as plain files. */
const PLAIN = new Set(['image/bmp', 'image/x-icon', 'image/icns', 'image/vnd.dwg']);

/**
 * The type of a file by its bytes, whatever its name or header says. `contentType`: under which it is served; only
 * images, audio and video keep theirs. Sound without a picture is audio, also in a container of films.
 */
export async function mediaOf(path: string) {
  const { fileTypeFromFile } = await import('file-type');
  // Its parsers throw on bytes that only begin like a known type.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? OCTETS;
  const [, type] = /^(image|audio|video)\//.exec(mime) ?? [];
  if (type === undefined || PLAIN.has(mime)) return { type: 'file' as const, contentType: OCTETS };
  const sound = type === 'video' ? await soundOf(path, mime) : undefined;
  if (sound !== undefined) return { type: 'audio' as const, contentType: sound };
  return { type: type as 'image' | 'audio' | 'video', contentType: mime };
}

const MAX = 255;
const NAMELESS = 'file';

/** The flag of a region: its letters are invisible tags behind a flag. */
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,16}\u{E007F}/v;
/**
 * Control characters, marks of direction, half surrogate pairs, line breaks and what is invisible, but for what scripts
 * and emoji are written with: joiners and variation selectors.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FFF9}-\u{FFFB}]|[\p{Default_Ignorable_Code_Point}--[\p{Variation_Selector}\u{34F}\u{200C}\u{200D}]]/v;
const UNSEEN_OR_FLAG = new RegExp(`(${FLAG.source})|${UNSEEN.source}`, 'gv');
/** Joiners that join nothing, which would make two names look the same. */
const LOOSE_JOINERS =
  /(?<=^|[\s.\u{34F}\u{200C}\u{200D}])[\u{34F}\u{200C}\u{200D}]+|[\u{34F}\u{200C}\u{200D}]+(?=$|[\s.])/gv;
/** Also as forms write them. */
const QUOTES = /["'`]|%(?:22|0d|0a)/gi;

/**
 * The name under which a file is shown and saved: no path, quotes, control or direction marks, at most 255 characters.
 */
export function cleanFileName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const seen = base.normalize('NFC').replace(UNSEEN_OR_FLAG, (_unseen, flag: string | undefined) => flag ?? '');
  const clean = seen.replace(QUOTES, '').replace(LOOSE_JOINERS, '').replace(/\s+/g, ' ').trim();
  const bare = clean.replace(/^\.+/, '').trim();
  if (bare === '') return NAMELESS;
  const [ending = ''] = /\.[^.\s]{1,20}$/.exec(bare) ?? [];
  if (bare.length <= MAX) return bare;
  const stem = bare.slice(0, -ending.length || undefined);
  return `${beginningOf(stem, MAX - ending.length, inUnits)}${ending}`;
}
