import { Reply, route, type Route } from '@tutoring/shared/http/declare/route';
import { ownData } from './export.ts';
import type { Exports } from './export-service.ts';

export const exportRoutes = (exports: Exports): Route[] => [
  route('get /api/me/export', {
    summary: 'Download everything about oneself',
    description:
      'For students and teachers, five times a UTC day, then a 429. One JSON file of what all services have about the ' +
      'caller, in the shapes of their own routes; in no envelope, as an attachment of any length. 503 while one of the ' +
      'services is unavailable. If one becomes unavailable during the download, the connection is closed before the ' +
      'end, and what has arrived is not valid JSON.',
    auth: 'user',
    response: ownData,
    produces: 'application/json',
    errors: ['not_found', 'rate_limited'],
    handle: async ({ caller }) => {
      const name = `own-data-${new Date().toISOString().slice(0, 10)}.json`;
      return new Reply(await exports.open(caller), {
        headers: { 'content-disposition': `attachment; filename="${name}"` },
      });
    },
  }),
];
