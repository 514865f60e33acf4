import { exists, row, rows, type Tx } from '@tutoring/shared/kit/database/sql';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import type { Login } from '../users/user.ts';

const GRANT_RESET = `insert into reset_grant (account_id, token_hash, client_address, user_agent, expires_at)
  select a.id, $2, $3, $4, app_now() + interval '10 minutes' from account a
  where a.id = $1 and a.email_key = $5 and a.status = 'active' and a.deleted_at is null for update
  on conflict (account_id) do update set token_hash = excluded.token_hash, client_address = excluded.client_address,
    user_agent = excluded.user_agent, expires_at = excluded.expires_at
  returning account_id`;

/**
 * Grants the account one password reset within ten minutes; replaces an earlier grant. False when its e-mail is no
 * longer `emailKey`, or it may not log in.
 */
export const grantReset = (tx: Tx, id: number, emailKey: string, tokenHash: Buffer, client: RequestInfo) =>
  exists(tx, GRANT_RESET, [id, tokenHash, client.clientAddress, client.userAgent, emailKey]);

const LOCK_GRANT = `select a.id, a.name, a.email, a.language, g.token_hash, g.client_address, g.user_agent,
    g.expires_at > app_now() + interval '8 minutes' as is_fresh
  from reset_grant g join account a on a.id = g.account_id
  where a.email_key = $1 and a.deleted_at is null and a.status = 'active' and g.expires_at > app_now()
  for update of g`;

/** A grant of the last ten minutes. */
export interface Grant extends Pick<Login, 'id' | 'name' | 'email' | 'language'> {
  token_hash: Buffer;
  /** Of the client that entered the code. */
  client_address: string;
  user_agent: string;
  /** Whether it was granted within the last two minutes. */
  is_fresh: boolean;
}

/** Locks the grant of the account with this e-mail. */
export const lockGrant = (tx: Tx, emailKey: string) => row<Grant>(tx, LOCK_GRANT, [emailKey]);

export const dropGrant = (tx: Tx, accountId: number) =>
  rows(tx, 'delete from reset_grant where account_id = $1', [accountId]);
