import { z } from 'zod';
import { KEY } from '@tutoring/shared/kit/files/files';
import { downloadSchema } from '@tutoring/shared/kit/http/serve/download';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import { PHOTO_PATH, userView } from '../users/user.ts';
import * as photos from './photo-service.ts';

const OWN = '/api/me/photo';

export const photoRoutes = (parts: Parts): Route[] => [
  route(`post ${OWN}`, {
    summary: "Upload the caller's photo",
    description:
      'For students and teachers. A form with the field `file`: JPEG, PNG, WebP, GIF, AVIF or HEIC of at most 5 MiB ' +
      '(413), recognised by its content. It becomes a square JPEG of 512 pixels, upright and without metadata; the ' +
      'link of the previous photo ends. 422 on `file` for anything but an image, 429 beyond 200 files or 500 MiB a ' +
      'day.',
    auth: 'user',
    upload: true,
    response: userView,
    errors: ['not_found'],
    handle: ({ caller, request }) => photos.replace(parts, caller, request),
  }),
  route(`delete ${OWN}`, {
    summary: "Remove the caller's photo",
    description: 'For students and teachers. Restores the default photo; the link of the previous photo ends.',
    auth: 'user',
    response: z
      .strictObject({ message: z.string().meta({ example: 'The photo has been removed.' }) })
      .meta({ id: 'PhotoRemoval' }),
    errors: ['not_found'],
    handle: ({ caller }) => photos.remove(parts, caller),
  }),
  route(`get ${PHOTO_PATH}{key}`, {
    summary: 'A photo',
    description:
      'Public: anybody with the link may see it, until its owner replaces or removes the photo. An image, without ' +
      'the envelope; supports ranges, conditional requests and HEAD.',
    auth: 'public',
    params: z.object({ key: z.string().regex(KEY).meta({ example: 'Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN' }) }),
    response: downloadSchema,
    produces: 'image/jpeg',
    download: true,
    handle: ({ params: { key } }) => photos.read(parts, key),
  }),
];
