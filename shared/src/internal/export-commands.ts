import { z } from 'zod';
import { id, uuid } from '../http/declare/fields.ts';
import type { ServiceName } from '../process/names.ts';
import type { Endpoint } from '../http/declare/route.ts';
import { commandsOf, ofUser } from './define.ts';

/**
 * A page of a service's data about a person, each item as their app sees it; `next`, given as `after`, asks for the
 * next page.
 */
const page = {
  query: z.object({ after: id().optional() }),
  answer: z.object({ items: z.array(z.looseObject({})), next: z.int().nullable() }),
};

const exported = <Owner extends ServiceName>(owner: Owner, at: Endpoint) =>
  commandsOf(owner)(at, { callers: ['identity'], params: ofUser, ...page });

const messaging = commandsOf('messaging');

/** The commands of identity for the export of a person's own data. */
export const exportCommands = {
  'statement.export': exported('wallet', 'get /internal/users/{id}/transactions'),
  'deposits.export': exported('wallet', 'get /internal/users/{id}/deposits'),
  'withdrawals.export': exported('wallet', 'get /internal/users/{id}/withdrawals'),
  'calls.export': exported('calls', 'get /internal/users/{id}/calls'),
  'reviews.export': exported('calls', 'get /internal/users/{id}/reviews'),
  'bookings.export': exported('calls', 'get /internal/users/{id}/bookings'),
  'files.export': exported('messaging', 'get /internal/users/{id}/files'),
  /** A user's rooms, the support room too. */
  'rooms.export': messaging('get /internal/users/{id}/rooms', {
    callers: ['identity'],
    params: ofUser,
    query: z.object({ after: uuid().optional() }),
    answer: z.object({
      /** `wrote`: the person has written in this room. */
      items: z.array(z.object({ room: z.looseObject({ uuid: z.string() }), wrote: z.boolean() })),
      next: z.string().nullable(),
    }),
  }),
  /** What a user has written in a room. */
  'messages.export': messaging('get /internal/users/{id}/rooms/{uuid}/messages', {
    callers: ['identity'],
    params: ofUser.extend({ uuid: uuid() }),
    ...page,
  }),
};
