/*
 * Removes GPS locations from a file of any format. EXIF is found by its TIFF header and XMP by its text, anywhere in
 * the file; both are overwritten in place, so that the file keeps its structure.
 */

/** TIFF headers of EXIF and of raw formats: byte order, and the magic number of TIFF or of a manufacturer. */
const HEADS = ['II*\0', 'MM\0*', 'IIU\0', 'IIRO', 'IIRS', 'MMOR'];
const [GPS, SUB_DIRECTORIES, EXIF] = [0x8825, 0x014a, 0x8769];
const ENTRY = 12;
/** Highest GPS tag. Other directories have higher tags only. */
const LAST_OF_GPS = 0x1f;
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
/** Most directory entries that are read of a file: bounds the cost of a malicious file. */
const MAX_ENTRIES = 200_000;

interface Entry {
  at: number;
  tag: number;
  /** Offset of its values, which are inside the entry if they fit. */
  values: number;
  size: number;
  count: number;
}

/** The directories of a TIFF header. All headers of a file share `budget.entries`. */
function createTiff(bytes: Buffer, base: number, budget: { entries: number }) {
  const isLittle = bytes[base] === 0x49;
  const isInside = (at: number, size: number) => at >= base && size >= 0 && at + size <= bytes.length;
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));

  function entryAt(at: number): Entry {
    const [tag, type, count] = [u16(at), u16(at + 2), u32(at + 4)];
    const size = (SIZES[type] ?? 0) * count;
    return { at, tag, size, count, values: size > 4 ? base + u32(at + 8) : at + 8 };
  }

  function directory(at: number): { entries: Entry[]; next: number } {
    if (!isInside(at, 2)) return { entries: [], next: 0 };
    const count = u16(at);
    const end = at + 2 + count * ENTRY;
    budget.entries -= count + 1;
    if (!isInside(at, 2 + count * ENTRY) || budget.entries < 0) return { entries: [], next: 0 };
    const entries = Array.from({ length: count }, (_, index) => entryAt(at + 2 + index * ENTRY));
    return { entries, next: isInside(end, 4) ? u32(end) : 0 };
  }

  function wipe({ entries }: { entries: Entry[] }): void {
    for (const { at, values, size } of entries) {
      if (isInside(values, size)) bytes.fill(0, values, values + size);
      // Becomes an unknown tag of one zero byte, which readers skip.
      bytes.fill(0, at, at + ENTRY);
      bytes[at + (isLittle ? 2 : 3)] = 1;
      bytes[at + (isLittle ? 4 : 7)] = 1;
    }
  }

  return {
    first: () => (isInside(base + 4, 4) ? base + u32(base + 4) : 0),
    directory,
    wipe,
    pointers: ({ values, count }: Entry) =>
      Array.from({ length: Math.min(count, 64) }, (_, index) => values + 4 * index)
        .filter((at) => isInside(at, 4))
        .map((at) => base + u32(at)),
  };
}

function wipeLocations(bytes: Buffer, base: number, budget: { entries: number }): void {
  const tiff = createTiff(bytes, base, budget);
  const seen = new Set<number>();
  const open = [tiff.first()];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const found = tiff.directory(at);
    // Canon's CR3 has a separate TIFF header for its GPS directory.
    if (at === tiff.first() && found.entries.length > 0 && found.entries.every(({ tag }) => tag <= LAST_OF_GPS))
      tiff.wipe(found);
    for (const entry of found.entries) {
      if (entry.tag === GPS) for (const to of tiff.pointers(entry)) tiff.wipe(tiff.directory(to));
      if ([SUB_DIRECTORIES, EXIF].includes(entry.tag)) open.push(...tiff.pointers(entry));
    }
    if (found.next > 0) open.push(base + found.next);
  }
}

const [XMP_BEGIN, XMP_END] = ['<x:xmpmeta', '</x:xmpmeta>'];

/** Overwrites the GPS locations in these bytes. */
export function removeLocations(bytes: Buffer): void {
  const budget = { entries: MAX_ENTRIES };
  for (const head of HEADS)
    for (let at = bytes.indexOf(head, 0, 'latin1'); at !== -1 && budget.entries > 0;) {
      budget.entries -= 1;
      wipeLocations(bytes, at, budget);
      at = bytes.indexOf(head, at + head.length, 'latin1');
    }
  for (let at = bytes.indexOf(XMP_BEGIN, 0, 'latin1'); at !== -1; at = bytes.indexOf(XMP_BEGIN, at, 'latin1')) {
    const end = bytes.indexOf(XMP_END, at, 'latin1');
    bytes.fill(' ', at, end === -1 ? bytes.length : end + XMP_END.length);
  }
}
