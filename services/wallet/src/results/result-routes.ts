import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { batchNotFound, importNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { applyResults, importResults } from './result-service.ts';
import { appliedSchema, importSchema } from './verdict.ts';

const RESULTS = '/api/admin/payout-batches/{id}/results';

export const resultRoutes = (parts: Parts) => [
  route(`post ${RESULTS}`, {
    summary: 'Read the results of a bank or operator',
    description:
      'For administrators. A form with the field `file`: CSV with the columns `reference` and `status`, and optionally ' +
      '`provider_ref`, `message` and `amount`; of at most 5 MiB (413) and 5,000 lines without the head (422). Only reads: ' +
      'answers what each line means, and changes nothing before it is applied. 409 before the export, and for the format ' +
      '`provider`.',
    auth: 'admin',
    right: 'payout',
    upload: true,
    params: z.object({ id: pathId() }),
    notFound: batchNotFound,
    response: importSchema,
    errors: ['conflict'],
    handle: ({ params: { id }, request }) => importResults(parts, id, request.upload),
  }),
  route(`post ${RESULTS}/{import_id}/apply`, {
    summary: 'Apply results that were read',
    description:
      'For administrators. Applies the lines `paid`, `failed` and `uncertain`, each in a transaction; what contradicts a ' +
      'settled payout becomes a break. A payout that is `uncertain` is never released by results. A repeat applies what ' +
      'is left and answers the same.',
    auth: 'admin',
    right: 'payout',
    params: z.object({ id: pathId(), import_id: pathId() }),
    notFound: importNotFound,
    response: appliedSchema,
    handle: ({ caller, params: { id, import_id: importId } }) => applyResults(parts, caller, id, importId),
  }),
];
