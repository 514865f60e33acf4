import { OCTETS } from '../http/download.ts';

export type MediaType = 'image' | 'audio' | 'video' | 'file';

/** What bytes are, whatever a name or header says. */
export interface Media {
  type: MediaType;
  /** As which they may be served: beyond images, audio and video nothing that a browser shows. */
  contentType: string;
}

/** Images that can hold nothing about their maker, and that nobody shows: plain files. */
const PLAIN = new Set(['image/bmp', 'image/x-icon', 'image/icns']);

export async function mediaOf(path: string): Promise<Media> {
  const { fileTypeFromFile } = await import('file-type');
  // Its parsers give up on what only begins like something.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? OCTETS;
  const [, type] = /^(image|audio|video)\//.exec(mime) ?? [];
  if (type === undefined || PLAIN.has(mime)) return { type: 'file', contentType: OCTETS };
  return { type: type as MediaType, contentType: mime };
}
