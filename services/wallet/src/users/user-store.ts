import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import type { UserSummary } from './user.ts';

const COLUMNS = ['id', 'platform', 'status', 'deleted', 'name', 'email', 'phone_number', 'version'] as const;
const SAVE = upsertNewerSql('user_copy', ['id'], COLUMNS);

/**
 * Stores the new state of users; ignores older versions. Stores an unproven e-mail address, too: money records show it
 * only to its owner and to administrators.
 */
export const saveUsers = (tx: Tx, users: EventData<'user.changed'>[]) =>
  rows(tx, SAVE, [JSON.stringify(users.map((user) => ({ ...user, email: user.unproven_email ?? user.email })))]);

/** A copy of a student or teacher. */
type UserCopy = UserSummary & Pick<EventData<'user.changed'>, 'status' | 'deleted'>;

export const findUsers = (reader: Reader, ids: number[]): Promise<UserCopy[]> =>
  rows(reader, 'select id, name, email, phone_number, status, deleted from user_copy where id = any($1)', [ids]);
