import { ask } from '../server/server.ts';
import { pageOfAll, type Binding } from './binding.ts';

/** The server gives at most this many rooms at once, those with the latest messages. */
const LIMIT = 100;

/** A support room's id is its uuid. */
const withId = <Room extends { uuid: string }>(room: Room) => ({ ...room, id: room.uuid });

export const support = {
  list: async (client, query) => {
    const rooms = await ask(client.GET('/api/admin/rooms', { params: { query: { limit: LIMIT } } }));
    return pageOfAll(rooms.map(withId), query);
  },
  one: async (client, id) =>
    withId(await ask(client.GET('/api/admin/rooms/{uuid}', { params: { path: { uuid: String(id) } } }))),
} satisfies Binding;
