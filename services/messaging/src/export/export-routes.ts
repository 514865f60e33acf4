import type { Route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { roomNotFound } from '../errors.ts';
import type { Exports } from './export-service.ts';

export const exportRoutes = ({ exports }: { exports: Exports }): Route[] => [
  command('rooms.export', {
    summary: "A user's rooms, the support room too",
    handle: ({ params, query }) => exports.rooms(params.id, query.after),
  }),
  command('files.export', {
    summary: 'What a user has uploaded to send it, newest first',
    handle: ({ params, query }) => exports.files(params.id, query.after),
  }),
  command('messages.export', {
    summary: 'What a user has written in a room',
    notFound: roomNotFound,
    handle: ({ params, query }) => exports.messages(params.id, params.uuid.toLowerCase(), query.after),
  }),
];
