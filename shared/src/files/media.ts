import { OCTETS } from '../http/serve/download.ts';

type MediaType = 'image' | 'audio' | 'video' | 'file';

/** The type of a file by its bytes, whatever its name or header says. */
export interface Media {
  type: MediaType;
  /** The type under which it is served: only images, audio and video keep theirs. */
  contentType: string;
}

/** Image types that carry no metadata worth removing and that nobody shows: served as plain files. */
const PLAIN = new Set(['image/bmp', 'image/x-icon', 'image/icns', 'image/vnd.dwg']);

export async function mediaOf(path: string): Promise<Media> {
  const { fileTypeFromFile } = await import('file-type');
  // Its parsers throw on bytes that only begin like a known type.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? OCTETS;
  const [, type] = /^(image|audio|video)\//.exec(mime) ?? [];
  if (type === undefined || PLAIN.has(mime)) return { type: 'file', contentType: OCTETS };
  return { type: type as MediaType, contentType: mime };
}
