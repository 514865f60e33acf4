import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import { invalidField, sentences } from './validation.ts';
import { texts } from '../../language/texts.ts';

/**
 * Reads the body: passes the bytes of its field `file` to `take`, which returns their number, and returns the name that
 * the client gave it. Throws too_large beyond `limit` bytes without reading on, invalid without such a field, malformed
 * for a form that is broken or ends early, and whatever `take` throws. A field without a name and bytes is what a browser
 * sends when nothing was chosen: it counts as missing.
 */
export type Upload = ((limit: number, take: (bytes: Readable) => Promise<number>) => Promise<string>) & {
  /** Bytes of the whole form, as the client declares them. */
  declared?: number;
};

const FIELD = 'file';
/** Bytes of a form around its file: names, boundaries, a few other fields. */
export const FORM_BYTES = 64 * 1024;
const LIMITS = { parts: 20, fields: 10, fieldSize: 1_024, fieldNameSize: 200, headerPairs: 20 };

const tooLarge = () => new AppError('too_large', texts.body.tooLarge);
const malformed = () => new AppError('malformed', texts.upload.notWhole);

export function uploadOf(req: IncomingMessage): Upload {
  const declared = Number(req.headers['content-length'] ?? 0);
  const upload = async (...[limit, take]: Parameters<Upload>) => {
    if (declared > limit + FORM_BYTES) throw tooLarge();
    const form = await openForm(req, limit);
    let failure: unknown;
    let found: { name: string; bytes: Readable; taken: Promise<number> } | undefined;
    const fail = (error: unknown) => {
      if (failure !== undefined) return;
      failure = error;
      // The rest is read and dropped, so that the client gets to see the answer.
      req.unpipe(form);
      form.destroy();
      found?.bytes.destroy(malformed());
      req.resume();
    };
    form.on('file', (field, bytes, filename) => {
      // A part that ends early emits an error; without a listener that would end the process.
      bytes.on('error', () => undefined);
      if (field !== FIELD || found) {
        bytes.resume();
        return;
      }
      bytes.once('limit', () => bytes.destroy(tooLarge()));
      found = { name: filename ?? '', bytes, taken: take(bytes) };
      found.taken.catch(fail);
    });
    form.on('error', () => fail(malformed()));
    const onLeft = () => fail(malformed());
    req.once('aborted', onLeft).once('error', onLeft);
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
    form.once('finish', onClose).once('close', onClose);
    if (req.destroyed && !req.complete) onLeft();
    else req.pipe(form);
    await closed;
    const size = await found?.taken.catch(fail);
    req.off('aborted', onLeft).off('error', onLeft);
    if (failure !== undefined) throw failure as Error;
    if (!found || (size === 0 && found.name.trim() === '')) throw invalidField(FIELD, sentences.required);
    return found.name;
  };
  return Object.assign(upload, declared > 0 && { declared });
}

async function openForm({ headers }: IncomingMessage, limit: number) {
  const { Busboy } = await import('@fastify/busboy');
  try {
    const { 'content-type': type = '' } = headers;
    return new Busboy({ headers: { ...headers, 'content-type': type }, limits: { ...LIMITS, fileSize: limit } });
  } catch {
    throw malformed();
  }
}
