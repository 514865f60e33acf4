import { z } from 'zod';
import { KEY } from '@tutoring/shared/kit/files/files';
import { downloadSchema, OCTETS } from '@tutoring/shared/kit/http/serve/download';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { fileNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { FILE_PATH } from './file.ts';
import { readFile } from './file-service.ts';

export const fileRoutes = (parts: Parts): Route[] => [
  route(`get ${FILE_PATH}{key}`, {
    summary: 'Download a file',
    description:
      'Public: anybody with the link may read it. Images, audio and video have their own content type; any other file ' +
      'is an attachment of `application/octet-stream`. `Content-Disposition` has the file name. The response is the ' +
      'bytes, without JSON and envelope. HEAD, range and conditional requests work.',
    auth: 'public',
    params: z.object({ key: z.string().regex(KEY).meta({ example: 'Zx8vQmJ2kR5tY7wLp0aBcDeFgHiJkLmN' }) }),
    response: downloadSchema,
    produces: OCTETS,
    download: true,
    notFound: fileNotFound,
    handle: ({ params: { key } }) => readFile(parts, key),
  }),
];
