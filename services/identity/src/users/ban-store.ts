import { row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Ban } from './user.ts';

const FIND_BAN = `select b.admin_id as id, b.admin_name as name, b.banned_at as at, b.reason
  from account_ban b join account a on a.id = b.account_id where a.id = $1 and a.status = 'banned'`;

/** The recorded ban; null if the user is not banned, or was banned before bans were recorded. */
export async function findBan(reader: Reader, accountId: number): Promise<Ban | null> {
  const found = await row<{ id: number; name: string; at: string; reason: string }>(reader, FIND_BAN, [accountId]);
  if (!found) return null;
  const { id, name, at, reason } = found;
  return { by: { id, name }, at, reason };
}

const SAVE_BAN = `insert into account_ban (account_id, admin_id, admin_name, reason) values ($1, $2, $3, $4)
  on conflict (account_id) do update set admin_id = excluded.admin_id, admin_name = excluded.admin_name,
    reason = excluded.reason, banned_at = excluded.banned_at`;

export const saveBan = (tx: Tx, accountId: number, { id, name }: AdminCaller, reason: string) =>
  rows(tx, SAVE_BAN, [accountId, id, name, reason]);

export const removeBan = (tx: Tx, accountId: number) =>
  rows(tx, 'delete from account_ban where account_id = $1', [accountId]);
