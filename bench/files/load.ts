import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';

export const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'x');
const HEAD = Buffer.from(
  '--frontier\r\nContent-Disposition: form-data; name="file"; filename="lesson.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
);
const TAIL = Buffer.from('\r\n--frontier--\r\n');

/** A form with a file of `size` bytes, produced piece by piece to save memory. */
function* form(size: number) {
  yield HEAD;
  for (let left = size; left > 0; left -= PIECE.length) yield left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
  yield TAIL;
}

/** Uploads one file. Throws unless it is accepted. */
export async function uploadOne(url: string, size: number, headers: Record<string, string>): Promise<void> {
  const req = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'content-type': 'multipart/form-data; boundary=frontier',
      'content-length': HEAD.length + size + TAIL.length,
    },
  });
  Readable.from(form(size)).pipe(req);
  const [res] = (await once(req, 'response')) as [Readable & { statusCode: number }];
  const answer = (await res.toArray()).join('');
  if (res.statusCode !== 200 || answer.includes('"success":false'))
    throw new Error(`an upload was answered with ${res.statusCode}: ${answer}`);
}

/** Uploads files, `atOnce` at the same time. Returns MB/s. */
export async function megabytesPerSecond(
  targets: { url: string; headers: Record<string, string> }[],
  { size, atOnce }: { size: number; atOnce: number },
): Promise<number> {
  const started = performance.now();
  const left = [...targets];
  const worker = async () => {
    for (let target = left.pop(); target; target = left.pop()) await uploadOne(target.url, size, target.headers);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (targets.length * size) / 1_000 / (performance.now() - started);
}
