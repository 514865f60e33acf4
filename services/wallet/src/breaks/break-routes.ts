import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { breakNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { breakDecision, breakFilter, breakSchema } from './break.ts';
import { decideBreak } from './break-service.ts';
import { createBreakList } from './break-store.ts';

export function breakRoutes(parts: Parts) {
  const { database, publicUrl } = parts;
  const listBreaks = createBreakList();
  return [
    listRoute('post /api/admin/breaksall', {
      summary: 'Breaks between the ledger and payment providers, newest first',
      description:
        'For administrators. Paged. A break is a difference between our records and those of a provider; it never ' +
        'moves money. `filter_value` searches reference and note, or is an exact id; `from` and `to` are days, both ' +
        'included.',
      auth: 'admin',
      right: 'money',
      body: breakFilter,
      item: breakSchema,
      publicUrl,
      list: (filter, window) => listBreaks(database.standby.manager, filter, window),
    }),
    route('put /api/admin/breaks/{id}', {
      summary: 'Resolve a break, or open it again',
      description:
        'For administrators. Sets status and note; a note is required. It moves no money. 409 when a newer break of ' +
        'the same kind and reference is open. A repeat changes nothing.',
      auth: 'admin',
      right: 'approve',
      params: z.object({ id: pathId() }),
      notFound: breakNotFound,
      body: breakDecision,
      response: breakSchema,
      errors: ['conflict'],
      handle: ({ params: { id }, body, caller }) => decideBreak(parts, caller, id, body),
    }),
  ];
}
