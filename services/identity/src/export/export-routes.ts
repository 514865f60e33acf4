import { Reply, route, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import * as exports from './export-service.ts';
import { ownData } from './export.ts';

export const exportRoutes = (parts: Parts): Route[] => [
  route('get /api/me/export', {
    summary: 'Download all own data',
    description:
      "For students and teachers, five times per UTC day, then 429. One JSON file with all services' data about the " +
      'caller, in the shapes of their own routes; without the envelope, as an attachment of any length. 503 while ' +
      'one of the services is unavailable. If a service becomes unavailable during the download, the connection is ' +
      'closed early, and the received part is not valid JSON.',
    auth: 'user',
    response: ownData,
    produces: 'application/json',
    errors: ['not_found', 'rate_limited'],
    handle: async ({ caller }) => {
      const name = `own-data-${new Date().toISOString().slice(0, 10)}.json`;
      return new Reply(await exports.open(parts, caller), {
        headers: { 'content-disposition': `attachment; filename="${name}"` },
      });
    },
  }),
];
