import { saveNewer } from '@tutoring/shared/database/copies';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { UserCopy } from './user.ts';

/** The e-mail, proven or not: money records show it only to its owner and to administrators. */
export const emailOf = (user: EventData<'user.changed'>) => user.unproven_email ?? user.email;

const COLUMNS = ['id', 'platform', 'status', 'deleted', 'name', 'email', 'phone_number', 'version'] as const;
const SAVE = saveNewer('user_copy', ['id'], COLUMNS);

/** Stores a user's new state; ignores an older version. */
export async function saveUser(tx: Tx, user: EventData<'user.changed'>): Promise<void> {
  const copy = { ...user, email: emailOf(user) };
  await rows(
    tx,
    SAVE,
    COLUMNS.map((column) => copy[column]),
  );
}

export function findUsers(reader: Reader, ids: number[]): Promise<UserCopy[]> {
  return rows(reader, 'select id, name, email, phone_number, status, deleted from user_copy where id = any($1)', [ids]);
}
