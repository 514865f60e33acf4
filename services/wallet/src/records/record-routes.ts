import { z } from 'zod';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { userMustExist, listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import type { Parts } from '../parts.ts';
import { cursor, decision, listBody, type Cursor, type Decision, type ListBody, type RecordRow } from './record.ts';
import type { Kind } from './record-service.ts';
import { createMoneyList } from './record-store.ts';

const params = z.object({ id: pathId() });

/** Routes by which owners read their deposits or withdrawals. */
export function ownRecordRoutes<Row extends RecordRow>(
  { noun, store, show, schema, notFound }: Kind<Row>,
  { database, people }: Parts,
) {
  const pageOf = async (reader: Reader, userId: number, window: Cursor) =>
    people.attach((await store.listOwn(reader, userId, window)).map(show));
  return [
    route(`get /api/${noun}s`, {
      summary: `Own ${noun}s, newest first`,
      description:
        'For students and teachers. For older ones send the last id as `before`. `limit` is 50 by default and 100 at ' +
        'most.',
      auth: 'user',
      query: cursor,
      response: z.array(schema),
      handle: ({ caller, query }) => pageOf(database.manager, caller.id, query),
    }),
    route(`get /api/${noun}s/{id}`, {
      summary: `One of the own ${noun}s`,
      description: `For students and teachers. A ${noun} of another user is a 404.`,
      auth: 'user',
      params,
      notFound,
      response: schema,
      handle: async ({ caller, params: { id } }) => {
        const record = await store.findOwn(database.manager, id, caller.id);
        return record && people.withUser(show(record));
      },
    }),
    command(`${noun}s.export`, exportHandler(database.standby.manager, pageOf)),
  ];
}

/** Routes by which administrators read and decide deposits or withdrawals. */
export function adminRecordRoutes<Row extends RecordRow>(
  {
    noun,
    store,
    show,
    showToAdmin = show,
    schema,
    adminSchema = schema,
    notFound,
    listBody: body = listBody,
  }: Kind<Row>,
  decide: {
    auth: 'admin' | 'su';
    description: string;
    run: (admin: AdminCaller, id: number, decision: Decision) => Promise<Row>;
  },
  { database, people, publicUrl }: Parts,
) {
  const list = createMoneyList<Row>(noun, store.columns);
  return [
    listRoute(`post /api/admin/${noun}sall`, {
      summary: `${noun === 'deposit' ? 'Deposits' : 'Withdrawals'}, newest first`,
      description:
        'For administrators. Paged. `filter_value` searches reference, details, method and the user; a record with ' +
        'exactly that id comes first. `from` and `to` are days, both included. An unknown `user_id` is a 422.' +
        (noun === 'deposit'
          ? ''
          : ' `filter_value` also searches the payout account, without blanks and punctuation. `claimed_by` is the ' +
            'administrator who last moved it to `pending`; `decided_by` is the one who last moved it to `success`, ' +
            '`failed` or `canceled`, and is null while it is open or if its owner canceled it.'),
      auth: 'admin',
      body,
      rules: userMustExist(people),
      item: adminSchema,
      publicUrl,
      list: async (filter: ListBody, window, caller) => {
        const claimed_by = filter.claimed_by === 'me' ? caller.id : filter.claimed_by;
        const { items, total } = await list(database.standby.manager, { ...filter, claimed_by }, window);
        return { items: await people.attach(items.map(showToAdmin)), total };
      },
    }),
    route(`get /api/admin/${noun}s/{id}`, {
      summary: `One ${noun}`,
      description: `For administrators. One ${noun} with its user, by id.`,
      auth: 'admin',
      params,
      notFound,
      response: adminSchema,
      handle: async ({ params: { id } }) => {
        const record = await store.find(database.manager, id);
        return record && people.withUser(showToAdmin(record));
      },
    }),
    route(`put /api/admin/${noun}s/{id}`, {
      summary: `Decide on a ${noun}`,
      description: decide.description,
      auth: decide.auth,
      params,
      notFound,
      body: decision,
      response: adminSchema,
      errors: ['conflict'],
      handle: async ({ params: { id }, body, caller }) =>
        people.withUser(showToAdmin(await decide.run(caller, id, body))),
    }),
  ];
}
