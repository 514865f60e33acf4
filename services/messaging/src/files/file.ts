import { z } from 'zod';
import { FILE_TYPES } from '@tutoring/shared/contract/room';
import { KEY } from '@tutoring/shared/kit/files/files';
import { pickFields, timestamp } from '@tutoring/shared/kit/http/declare/fields';

export const FILE_PATH = '/api/files/';

/** Part of the description of every upload route. */
export const UPLOADING =
  'A form with the field `file`. Its limit in MiB is the setting `file_max_mb` (413 above it). The bytes decide about ' +
  'the type: an image (HEIC, too) is turned upright, loses its metadata and is made smaller when it is very large; an ' +
  'image that cannot be shown is a `file`, a recording without video is `audio`. To share the file, send a message ' +
  'with its `url` as `message_link`. A file that no message uses within 24 hours is deleted. 429 beyond 200 files or ' +
  '500 MiB a day.';

/** An uploaded file as shown to its uploader. */
export const file = z
  .strictObject({
    id: z.int().meta({ example: 77 }),
    url: z.string().meta({
      description: 'Send it as `message_link`. Whoever has it may read the file.',
      example: 'https://api.example.com/api/files/Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN',
    }),
    name: z.string().meta({ example: 'exercise.png' }),
    type: z.enum(FILE_TYPES).meta({ description: 'Detected from the bytes.', example: 'image' }),
    content_type: z.string().meta({ description: 'The content type of the response of `url`.', example: 'image/png' }),
    size: z.int().meta({ description: 'In bytes.', example: 48213 }),
    width: z.int().nullable().meta({ description: 'In pixels; null unless an image.', example: 1024 }),
    height: z.int().nullable().meta({ example: 768 }),
    created_at: timestamp(),
  })
  .meta({ id: 'File' });

/** A row of `file`. */
export interface File extends Omit<z.infer<typeof file>, 'url'> {
  key: string;
  owner_id: number;
}

export const showFile = (stored: File, publicUrl: string) =>
  pickFields(file, { ...stored, url: `${publicUrl}${FILE_PATH}${stored.key}` });

const LINKED = new RegExp(`${FILE_PATH}([\\w-]+)/?$`);

/**
 * The key of the file that a message links to, or undefined for any other link. Host, path prefix, query and fragment
 * are ignored: apps may reach the system under different addresses, and a key cannot be guessed.
 */
export function fileKeyOf(link: string | null): string | undefined {
  const key = link ? LINKED.exec(URL.parse(link)?.pathname ?? '')?.[1] : undefined;
  return key !== undefined && KEY.test(key) ? key : undefined;
}
