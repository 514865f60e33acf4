import { exists, row, rows, type Tx } from '@tutoring/shared/database/sql';
import type { RequestInfo } from '@tutoring/shared/http/declare/route';
import type { Login } from '../users/user.ts';

const GRANT_RESET = `insert into reset_grant (account_id, token_hash, client_address, user_agent, expires_at)
  select a.id, $2, $3, $4, app_now() + interval '10 minutes' from account a
  where a.id = $1 and a.email_key = $5 and a.status = 'active' and a.deleted_at is null for update
  on conflict (account_id) do update set token_hash = excluded.token_hash, client_address = excluded.client_address,
    user_agent = excluded.user_agent, expires_at = excluded.expires_at
  returning account_id`;

/**
 * Grants one password reset within ten minutes to the account with this e-mail; replaces an earlier grant. False when
 * the account has another e-mail by now, or may not log in.
 */
export const grantReset = (tx: Tx, id: number, emailKey: string, tokenHash: Buffer, client: RequestInfo) =>
  exists(tx, GRANT_RESET, [id, tokenHash, client.clientAddress, client.userAgent, emailKey]);

const SPEND_GRANT = `delete from reset_grant g using account a
  where a.email_key = $1 and a.deleted_at is null and a.status = 'active' and g.account_id = a.id
    and g.expires_at > app_now()
    and case when $2::bytea is null
      then g.expires_at > app_now() + interval '8 minutes' and g.client_address = $3 and g.user_agent = $4
      else g.token_hash = $2 end
  returning a.id, a.name, a.email, a.language`;

/**
 * Spends the account's fresh grant for the holder of its token, within ten minutes. Without a token, and when `client`
 * is given, for the client that got the grant, within two minutes.
 */
export function spendGrant(tx: Tx, emailKey: string, tokenHash: Buffer | null, client?: RequestInfo) {
  const proof = [tokenHash, client?.clientAddress ?? null, client?.userAgent ?? null];
  return row<Pick<Login, 'id' | 'name' | 'email' | 'language'>>(tx, SPEND_GRANT, [emailKey, ...proof]);
}

export const dropGrant = (tx: Tx, accountId: number) =>
  rows(tx, 'delete from reset_grant where account_id = $1', [accountId]);
