import type { Reader, Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { UserCopy } from './user.ts';

/** The e-mail, proven or not: money records show it only to its owner and to administrators. */
export const emailOf = (user: EventData<'user.changed'>) => user.unproven_email ?? user.email;

/** Stores a user's new state; ignores an older version. */
export async function saveUser(tx: Tx, user: EventData<'user.changed'>): Promise<void> {
  await rows(
    tx,
    `insert into user_copy as copy (id, platform, status, deleted, name, email, phone_number, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (id) do update set platform = excluded.platform, status = excluded.status, deleted = excluded.deleted,
       name = excluded.name, email = excluded.email, phone_number = excluded.phone_number, version = excluded.version
     where excluded.version >= copy.version`,
    [user.id, user.platform, user.status, user.deleted, user.name, emailOf(user), user.phone_number, user.version],
  );
}

export function findUsers(reader: Reader, ids: number[]): Promise<UserCopy[]> {
  return rows(reader, 'select id, name, email, phone_number, status, deleted from user_copy where id = any($1)', [ids]);
}
