import { request } from 'node:http';
import type { TestResponse } from './client.ts';

export interface UploadOptions {
  name?: string;
  field?: string;
  type?: string;
}

/** A multipart form with one file. */
export function form(
  bytes: Uint8Array,
  { name = 'picture.jpg', field = 'file', type = 'image/jpeg' }: UploadOptions = {},
): { type: string; body: Buffer } {
  const head = `--frontier\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    type: 'multipart/form-data; boundary=frontier',
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--frontier--\r\n')]),
  };
}

export interface Uploaded {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: TestResponse['body'];
}

/** Posts a form and reads the answer. */
export async function upload(
  url: string,
  bytes: Uint8Array,
  options: UploadOptions & { headers?: Record<string, string> } = {},
): Promise<Uploaded> {
  const { type, body } = form(bytes, options);
  const sending = openUpload(url, { 'content-type': type, 'content-length': String(body.length), ...options.headers });
  void sending.write(body);
  sending.end();
  return sending.answer;
}

/** A POST whose body the test writes in chunks; `answer` resolves when the server answers. */
export function openUpload(url: string, headers: Record<string, string>) {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Uploaded>();
  const req = request(url, { method: 'POST', headers, agent: false }, (res) => {
    const pieces: Buffer[] = [];
    res.on('data', (piece: Buffer) => pieces.push(piece));
    res.once('end', () => {
      const text = Buffer.concat(pieces).toString();
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        body = text;
      }
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body });
    });
  });
  req.once('error', reject);
  req.flushHeaders();
  return {
    answer,
    /** Resolves when the connection accepts more. */
    write: (piece: Uint8Array) =>
      new Promise<void>((done) => {
        if (req.write(piece)) done();
        else req.once('drain', done);
      }),
    end: () => void req.end(),
    /** Destroys the connection. */
    leave: () => {
      answer.catch(() => undefined);
      req.destroy();
    },
  };
}
