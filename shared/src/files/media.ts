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
