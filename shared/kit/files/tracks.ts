import { open, type FileHandle } from 'node:fs/promises';

/*
 * Finds the tracks of a video by the headers of its container: MP4 and related formats, Matroska and WebM. Reads only
 * headers, and a limited number of them; a file with more keeps the type that it seems to have.
 */

/** Most headers of boxes or elements that are read of a file. */
const MAX_HEADERS = 4_000;
/** Longest header: an element has up to 4 bytes of id and 8 of size, a box with a 64-bit size has 16 bytes. */
const HEADER = 16;

/** A box or an element: its content is between `from` and `end`. */
interface Node {
  id: string;
  from: number;
  end: number;
}
type Parse = (bytes: Buffer, at: number, end: number) => Node | undefined;

const box: Parse = (bytes, at, end) => {
  if (bytes.length < 8) return undefined;
  const [short, id] = [bytes.readUInt32BE(0), bytes.toString('latin1', 4, 8)];
  if (short === 0) return { id, from: at + 8, end };
  if (short !== 1) return short < 8 ? undefined : { id, from: at + 8, end: at + short };
  if (bytes.length < 16) return undefined;
  const long = Number(bytes.readBigUInt64BE(8));
  return long < 16 ? undefined : { id, from: at + 16, end: at + long };
};

const element: Parse = (bytes, at, end) => {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(bytes[idBytes] ?? 0) - 23;
  const from = idBytes + sizeBytes;
  if (idBytes > 4 || sizeBytes > 8 || bytes.length < from) return undefined;
  const digits = bytes.toString('hex', idBytes, from);
  const marker = 1n << BigInt(7 * sizeBytes);
  const size = BigInt(`0x${digits}`) ^ marker;
  const id = bytes.toString('hex', 0, idBytes);
  // A size of all ones is unknown: the element ends with its parent.
  return { id, from: at + from, end: size === marker - 1n ? end : at + from + Number(size) };
};

/** The nodes at this path, in file order; other nodes are skipped. */
async function* nodesAt(
  file: FileHandle,
  parse: Parse,
  path: string[],
  within: { from: number; end: number },
  budget = { headers: MAX_HEADERS },
): AsyncGenerator<Node> {
  const [wanted, ...rest] = path;
  for (let at = within.from; at < within.end && budget.headers > 0;) {
    budget.headers -= 1;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER), 0, HEADER, at);
    const node = parse(buffer.subarray(0, bytesRead), at, within.end);
    if (!node) return;
    const end = Math.min(node.end, within.end);
    if (node.id === wanted && rest.length === 0) yield { ...node, end };
    else if (node.id === wanted) yield* nodesAt(file, parse, rest, { from: node.from, end }, budget);
    at = node.end;
  }
}

async function bytesOf(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** The kind of each track, in the container's terms. */
async function kindsOf(file: FileHandle, isMatroska: boolean): Promise<string[]> {
  const { size } = await file.stat();
  const kinds: string[] = [];
  if (isMatroska) {
    // Segment, Tracks, TrackEntry, TrackType.
    for await (const { from, end } of nodesAt(file, element, ['18538067', '1654ae6b', 'ae', '83'], {
      from: 0,
      end: size,
    }))
      kinds.push((await bytesOf(file, from, Math.min(end - from, 8))).toString('hex').replace(/^0+/, ''));
  } else {
    // The handler type is after the version and four more bytes.
    for await (const { from } of nodesAt(file, box, ['moov', 'trak', 'mdia', 'hdlr'], { from: 0, end: size }))
      kinds.push((await bytesOf(file, from + 8, 4)).toString('latin1'));
  }
  return kinds;
}

const MP4 = new Set(['video/mp4', 'video/quicktime', 'video/3gpp', 'video/3gpp2', 'video/x-m4v']);
const MATROSKA = new Set(['video/webm', 'video/matroska', 'video/x-matroska']);
/** Audio types that are not named like the video type. */
const AUDIO_TYPES: Record<string, string> = { 'video/quicktime': 'audio/mp4', 'video/x-m4v': 'audio/mp4' };

/** The audio type of a video file without a video track; undefined when it has one, or the container is unknown. */
export async function audioTypeOf(path: string, mime: string): Promise<string | undefined> {
  const isMatroska = MATROSKA.has(mime);
  if (!isMatroska && !MP4.has(mime)) return undefined;
  const file = await open(path);
  try {
    const kinds = await kindsOf(file, isMatroska);
    const [sound, picture] = isMatroska ? ['2', '1'] : ['soun', 'vide'];
    if (!kinds.includes(sound) || kinds.includes(picture)) return undefined;
    return AUDIO_TYPES[mime] ?? mime.replace('video', 'audio');
  } finally {
    await file.close();
  }
}
