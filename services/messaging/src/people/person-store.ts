import { saveNewerSet } from '@tutoring/shared/database/copies';
import { column, rows, value, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { PERSON_FIELDS, type Person } from './person.ts';

const SAVE_PEOPLE = saveNewerSet('user_copy', ['id'], [...PERSON_FIELDS, 'version']);
const SAVE_BALANCES = saveNewerSet('balance_copy', ['user_id'], ['user_id', 'available', 'version']);

export const findPeople = (reader: Reader, ids: number[]) =>
  rows<Person>(reader, `select ${PERSON_FIELDS.join(', ')} from user_copy where id = any($1::bigint[])`, [ids]);

/** The ids of those who are not deleted. Locks them: none can be deleted until `tx` ends. */
export const shareLiving = async (tx: Tx, ids: number[]) =>
  new Set(
    await column<number>(
      tx,
      'select id from user_copy where id = any($1::bigint[]) and not deleted order by id for share',
      [ids],
    ),
  );

/** Saves different users unless newer versions are stored. */
export const savePeople = (tx: Tx, users: EventData<'user.changed'>[]) =>
  rows(tx, SAVE_PEOPLE, [JSON.stringify(users)]);

export async function findAvailable(reader: Reader, userId: number): Promise<number | undefined> {
  return value<number | undefined>(reader, 'select available from balance_copy where user_id = $1', [userId]);
}

export const saveBalances = (
  tx: Tx,
  balances: Pick<EventData<'balance.changed'>, 'user_id' | 'available' | 'version'>[],
) => rows(tx, SAVE_BALANCES, [JSON.stringify(balances)]);
