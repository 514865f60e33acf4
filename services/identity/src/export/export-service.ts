import { addAbortSignal, Readable } from 'node:stream';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { undefinedIfNotFound } from '@tutoring/shared/kit/errors';
import { createTaskQueue } from '@tutoring/shared/kit/task-queue';
import { EXPORT_MS, EXPORT_WAIT_MS } from '../deadlines.ts';
import { busy, tooManyAttempts } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { exportFavourites } from '../teachers/teacher-store.ts';
import * as tokens from '../tokens/token-service.ts';
import * as users from '../users/user-service.ts';
import type { UserView } from '../users/user.ts';
import type { ExportKey } from './export.ts';
import { countExport, secondsLeftToday, uncountExport } from './export-store.ts';
import {
  startPages,
  jsonArray,
  jsonArrayOfLists,
  noPages,
  jsonObject,
  pagesOf,
  type Member,
  type Page,
} from './page.ts';

/** Exports of one person per UTC day. */
const EXPORTS_A_DAY = 5;
/** Exports in flight per process, one per person: each holds a page in memory and loads the other services. */
const EXPORTS_AT_ONCE = 4;

/** The items of a list that a replica of the previous release does not know: none. */
const orNone = async (page: Promise<Page<object, number>>): Promise<Page<object, number>> =>
  (await page.catch(undefinedIfNotFound)) ?? { items: [], next: null };

/** The JSON array of all items; resolves when the first page has been read. */
const jsonArrayOf = async (ask: (after?: number) => Promise<Page<object, number>>) => jsonArray(await startPages(ask));

/** Of the exports in flight of this process. */
export const createExportQueue = () =>
  createTaskQueue({ atOnce: EXPORTS_AT_ONCE, waitMs: EXPORT_WAIT_MS, refusal: () => busy(30) });

const messagesOf = ({ messaging }: Parts, id: number, uuid: string) =>
  pagesOf((after?: number) => messaging.ask('messages.export', { id, uuid, after }));

/** All data of the caller; resolves when each service has returned its first page. Throws unavailable. */
async function gather(parts: Parts, caller: UserCaller, profile: UserView): Promise<Member[]> {
  const { id } = caller;
  const members: Record<ExportKey, Promise<Member[1]>> = {
    profile: exportFavourites(parts.database.manager, id).then((favourites) => [
      JSON.stringify({ ...profile, favourites }),
    ]),
    sessions: tokens.sessions(parts, caller).then((sessions) => [JSON.stringify(sessions)]),
    rooms: startPages((after?: string) => parts.messaging.ask('rooms.export', { id, after })).then((rooms) =>
      jsonArrayOfLists(rooms, 'messages', ({ room, wrote }) => ({
        outer: room,
        inner: wrote ? messagesOf(parts, id, room.uuid) : noPages(),
      })),
    ),
    calls: jsonArrayOf((after) => parts.calls.ask('calls.export', { id, after })),
    statement: jsonArrayOf((after) => parts.wallet.ask('statement.export', { id, after })),
    deposits: jsonArrayOf((after) => parts.wallet.ask('deposits.export', { id, after })),
    withdrawals: jsonArrayOf((after) => parts.wallet.ask('withdrawals.export', { id, after })),
    disputes: jsonArrayOf((after) => orNone(parts.wallet.ask('disputes.export', { id, after }))),
    refunds: jsonArrayOf((after) => orNone(parts.wallet.ask('deposit-refunds.export', { id, after }))),
    payout_accounts: jsonArrayOf((after) => orNone(parts.wallet.ask('payout-accounts.export', { id, after }))),
    reviews: jsonArrayOf((after) => parts.calls.ask('reviews.export', { id, after })),
    bookings: jsonArrayOf((after) => parts.calls.ask('bookings.export', { id, after })),
    files: jsonArrayOf((after) => parts.messaging.ask('files.export', { id, after })),
    support_cases: jsonArrayOf((after) => orNone(parts.messaging.ask('cases.export', { id, after }))),
  };
  return Promise.all(Object.entries(members).map(async ([key, value]): Promise<Member> => [key, await value]));
}

/** Holds a slot until the text has been read to its end or is closed. */
const startExport = (parts: Parts, caller: UserCaller, profile: UserView): Promise<Readable> =>
  new Promise((resolve, reject) => {
    parts
      .exportQueue({ account: String(caller.id) }, async () => {
        const members = await gather(parts, caller, profile);
        const text = addAbortSignal(AbortSignal.timeout(EXPORT_MS), Readable.from(jsonObject(members)));
        resolve(text);
        await new Promise((closed) => text.once('close', closed));
      })
      .catch(reject);
  });

/**
 * Returns the caller's data as a stream of JSON, which reads from the services while it is consumed and fails if
 * one of them becomes unavailable. Throws unavailable when a service is unavailable or too many exports are in
 * flight, rate_limited after five exports of a day, and not_found for a deleted account.
 */
export async function open(parts: Parts, caller: UserCaller): Promise<Readable> {
  const { id } = caller;
  const profile = await users.show(parts, id);
  if (!(await parts.database.autocommit((tx) => countExport(tx, id, EXPORTS_A_DAY))))
    throw tooManyAttempts(await secondsLeftToday(parts.database.manager));
  try {
    return await startExport(parts, caller, profile);
  } catch (error) {
    await parts.database.autocommit((tx) => uncountExport(tx, id));
    throw error;
  }
}
