import type { Route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { roomNotFound } from '../errors.ts';
import type { Exports } from './export-service.ts';

export const exportRoutes = ({ exports }: { exports: Exports }): Route[] => [
  command('rooms.export', ({ params, query }) => exports.rooms(params.id, query.after)),
  command('files.export', ({ params, query }) => exports.files(params.id, query.after)),
  command(
    'messages.export',
    ({ params, query }) => exports.messages(params.id, params.uuid.toLowerCase(), query.after),
    roomNotFound,
  ),
];
