import { z } from 'zod';
import { KEY } from '@tutoring/shared/files/files';
import { downloaded, OCTETS } from '@tutoring/shared/http/serve/download';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { fileNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { FILE_PATH } from './file.ts';
import { readFile } from './file-service.ts';

export const fileRoutes = (parts: Parts): Route[] => [
  route(`get ${FILE_PATH}{key}`, {
    summary: 'A file',
    description:
      'Public: anybody with the link may read it. Images, audio and video have their own content type; everything else ' +
      'is `application/octet-stream`, to be saved and never shown; both under their name. Not JSON and in no envelope; ranges ' +
      'and conditional requests work, and HEAD.',
    auth: 'public',
    params: z.object({ key: z.string().regex(KEY).meta({ example: 'Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN' }) }),
    response: downloaded,
    produces: OCTETS,
    download: true,
    notFound: fileNotFound,
    handle: ({ params: { key } }) => readFile(parts, key),
  }),
];
