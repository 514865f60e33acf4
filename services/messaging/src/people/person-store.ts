import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { Person } from './person.ts';

const COLUMNS = `id, platform, status, deleted, name, email, phone_number, photo, address, city, country, about_me,
  level_study, subjects_interest, domains, experience, availability, created_at, updated_at, unproven_email`;

export const findPeople = (reader: Reader, ids: number[]) =>
  rows<Person>(reader, `select ${COLUMNS} from user_copy where id = any($1::bigint[])`, [ids]);

/** The ids of those who are not deleted. Locks them: none can be deleted until `tx` ends. */
export const shareLiving = async (tx: Tx, ids: number[]) =>
  new Set(
    (
      await rows<{ id: number }>(
        tx,
        'select id from user_copy where id = any($1::bigint[]) and not deleted order by id for share',
        [ids],
      )
    ).map(({ id }) => id),
  );

/** Saves the user unless a newer version is stored. */
export async function savePerson(tx: Tx, user: EventData<'user.changed'>): Promise<void> {
  await rows(
    tx,
    `insert into user_copy (version, ${COLUMNS})
     select version, ${COLUMNS} from jsonb_populate_record(null::user_copy, $1::jsonb)
     on conflict (id) do update set (version, ${COLUMNS}) = (
       excluded.version, ${COLUMNS.replace(/\w+/g, 'excluded.$&')})
     where excluded.version >= user_copy.version`,
    [JSON.stringify(user)],
  );
}

export async function findAvailable(reader: Reader, userId: number): Promise<number | undefined> {
  return (await row<{ available: number }>(reader, 'select available from balance_copy where user_id = $1', [userId]))
    ?.available;
}

export async function saveBalance(
  tx: Tx,
  balance: Pick<EventData<'balance.changed'>, 'user_id' | 'available' | 'version'>,
): Promise<void> {
  await rows(
    tx,
    `insert into balance_copy (user_id, available, version) values ($1, $2, $3)
     on conflict (user_id) do update set available = excluded.available, version = excluded.version
     where excluded.version >= balance_copy.version`,
    [balance.user_id, balance.available, balance.version],
  );
}
