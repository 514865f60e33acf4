import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { column, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import { PERSON_FIELDS, type Person } from './person.ts';

const FIND_PEOPLE = `select ${PERSON_FIELDS.join(', ')} from user_copy where id = any($1::bigint[])`;
const FIND_AVAILABLE = 'select available from balance_copy where user_id = $1';
const SAVE_PEOPLE = upsertNewerSql('user_copy', ['id'], [...PERSON_FIELDS, 'version']);
const SAVE_BALANCES = upsertNewerSql('balance_copy', ['user_id'], ['user_id', 'available', 'version']);

export const findPeople = (reader: Reader, ids: number[]) => rows<Person>(reader, FIND_PEOPLE, [ids]);

/** The ids of the users who are not deleted. Share-locks them: none can be deleted until `tx` ends. */
export const shareLiving = async (tx: Tx, ids: number[]) =>
  new Set(
    await column<number>(
      tx,
      'select id from user_copy where id = any($1::bigint[]) and not deleted order by id for share',
      [ids],
    ),
  );

/** The ids of the users who are deleted. Share-locks all the users, like `shareLiving`. */
export async function shareDeleted(tx: Tx, ids: number[]): Promise<Set<number>> {
  const people = await rows<{ id: number; deleted: boolean }>(
    tx,
    'select id, deleted from user_copy where id = any($1::bigint[]) order by id for share',
    [ids],
  );
  return new Set(people.filter(({ deleted }) => deleted).map(({ id }) => id));
}

/** Saves users with distinct ids, unless newer versions are stored. */
export const savePeople = (tx: Tx, users: EventData<'user.changed'>[]) =>
  rows(tx, SAVE_PEOPLE, [JSON.stringify(users)]);

export const findAvailable = (reader: Reader, userId: number) =>
  value<number | undefined>(reader, FIND_AVAILABLE, [userId]);

export const saveBalances = (
  tx: Tx,
  balances: Pick<EventData<'balance.changed'>, 'user_id' | 'available' | 'version'>[],
) => rows(tx, SAVE_BALANCES, [JSON.stringify(balances)]);
