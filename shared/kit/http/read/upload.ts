import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { AppError } from '../../errors.ts';
import { invalidField, sentences, validate } from './validation.ts';
import { texts } from '../../language/texts.ts';

/**
 * Passes the bytes of the form field `file` to `take`, which returns their number. Returns the client's file name.
 * Throws too_large beyond `limit` bytes (without reading on), invalid without the field, malformed for a broken or
 * truncated form, and the errors of `take`. A field without name and bytes counts as missing: a browser sends it when
 * no file was chosen. The other fields of the form are in `fields` once the file has been read.
 */
export type Upload = ((limit: number, take: (bytes: Readable) => Promise<number>) => Promise<string>) & {
  /** Content-Length of the form, if the client sent it. */
  declared?: number;
  fields: Map<string, string>;
};

const FIELD = 'file';
/** Most bytes of a form besides its file: names, boundaries, a few other fields. */
export const FORM_BYTES = 64 * 1024;
const LIMITS = { parts: 20, fields: 10, fieldSize: 1_024, fieldNameSize: 200, headerPairs: 20 };

const tooLarge = () => new AppError('too_large', texts.body.tooLarge);
const malformed = () => new AppError('malformed', texts.upload.notWhole);

export function uploadOf(req: IncomingMessage): Upload {
  const declared = Number(req.headers['content-length'] ?? 0);
  const fields = new Map<string, string>();
  const upload = async (...[limit, take]: Parameters<Upload>) => {
    if (declared > limit + FORM_BYTES) throw tooLarge();
    const form = await openForm(req, limit);
    let failure: unknown;
    let found: { name: string; bytes: Readable; taken: Promise<number> } | undefined;
    const fail = (error: unknown) => {
      if (failure !== undefined) return;
      failure = error;
      // Discard the rest of the body, so that the client can read the answer.
      req.unpipe(form);
      form.destroy();
      found?.bytes.destroy(malformed());
      req.resume();
    };
    form.on('file', (field, bytes, filename) => {
      // Busboy emits an error for a truncated part; without a listener it would end the process.
      bytes.on('error', () => undefined);
      if (field !== FIELD || found) {
        bytes.resume();
        return;
      }
      bytes.once('limit', () => bytes.destroy(tooLarge()));
      found = { name: filename ?? '', bytes, taken: take(bytes) };
      found.taken.catch(fail);
    });
    form.on('field', (name, value) => void fields.set(name, value));
    form.on('error', () => fail(malformed()));
    const onAbort = () => fail(malformed());
    req.once('aborted', onAbort).once('error', onAbort);
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
    form.once('finish', onClose).once('close', onClose);
    if (req.destroyed && !req.complete) onAbort();
    else req.pipe(form);
    await closed;
    const size = await found?.taken.catch(fail);
    req.off('aborted', onAbort).off('error', onAbort);
    if (failure !== undefined) throw failure as Error;
    if (!found || (size === 0 && found.name.trim() === '')) throw invalidField(FIELD, sentences.required);
    return found.name;
  };
  return Object.assign(upload, { fields }, declared > 0 && { declared });
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

/** The other fields of a form whose file has been read. Throws invalid. */
export const formOf = <Schema extends z.ZodObject>({ fields }: Upload, schema: Schema): Promise<z.output<Schema>> =>
  validate(schema, Object.fromEntries(fields));
