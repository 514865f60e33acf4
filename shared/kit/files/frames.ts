/*
 * Copies animations without their metadata: copies the blocks of the container and decodes nothing. A truncated file is
 * copied as far as it goes, as browsers show it. Throws for another format.
 */

const fail = (): never => {
  throw new Error('not of this format');
};

const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex');
/** Chunks that determine how the picture looks; all others are text, times, EXIF and additions of programs. */
const PNG_CHUNKS = new Set(
  ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'].concat([
    'bKGD',
    'hIST',
    'pHYs',
    'sPLT',
    'acTL',
    'fcTL',
    'fdAT',
  ]),
);

export function pngWithoutMetadata(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, 8).equals(PNG_HEAD)) fail();
  const pieces: Buffer[] = [PNG_HEAD];
  for (let at = 8; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at === 8 && type !== 'IHDR') fail();
    const end = at + 12 + bytes.readUInt32BE(at);
    if (PNG_CHUNKS.has(type)) pieces.push(bytes.subarray(at, end));
    // Drop anything after the end of the image.
    if (type === 'IEND') break;
    at = end;
  }
  return pieces;
}

/** Application blocks with the number of repetitions of an animation. */
const GIF_LOOPS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const [GIF_BLOCK, GIF_IMAGE, GIF_END] = [0x21, 0x2c, 0x3b];
const [GIF_TEXT, GIF_CONTROL, GIF_APPLICATION] = [0x01, 0xf9, 0xff];
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

export function gifWithoutMetadata(bytes: Buffer): Buffer[] {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 13) fail();
  /** The offset after the sub-blocks that begin at `from`. */
  const afterBlocks = (from: number): number => {
    let at = from;
    for (let size = bytes[at]; size !== undefined && size > 0; size = bytes[at]) at += size + 1;
    return at + 1;
  };
  let at = 13 + tableBytes(bytes[10]!);
  const pieces = [bytes.subarray(0, at)];
  while (at < bytes.length && bytes[at] !== GIF_END) {
    const [kind, label = 0] = bytes.subarray(at, at + 2);
    let end: number;
    if (kind === GIF_IMAGE) end = afterBlocks(at + 11 + tableBytes(bytes[at + 9] ?? 0));
    else if (kind === GIF_BLOCK) end = afterBlocks(at + 2);
    // Browsers stop at an unknown block, too.
    else break;
    const isLoop = label === GIF_APPLICATION && GIF_LOOPS.has(bytes.toString('latin1', at + 3, at + 14));
    if (kind === GIF_IMAGE || isLoop || [GIF_TEXT, GIF_CONTROL].includes(label)) pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return [...pieces, Buffer.of(GIF_END)];
}

const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags of VP8X for EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04;

export function webpWithoutMetadata(bytes: Buffer): Buffer[] {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') fail();
  const pieces: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (WEBP_CHUNKS.has(type)) {
      const chunk = Buffer.from(bytes.subarray(at, end));
      if (type === 'VP8X' && chunk.length > 8) chunk[8]! &= ~WEBP_METADATA;
      pieces.push(chunk);
    }
    at = end;
  }
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(
    pieces.reduce((sum, { length }) => sum + length, 4),
    4,
  );
  return [head, ...pieces];
}
