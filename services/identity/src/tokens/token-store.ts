import { inPages } from '@tutoring/shared/kit/database/pages';
import { column, exists, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { DEFAULT_LANGUAGE, type Language } from '@tutoring/shared/kit/process/language';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import { isSamePasswordSql } from '../credentials/password.ts';
import type { ApiToken, Session } from './token.ts';

/** Stored length of a user agent. */
const MAX_USER_AGENT = 512;

export interface StoredToken {
  id: number;
  hash: Buffer;
  user_id: number | null;
  platform: 'student' | 'teacher' | null;
  language: Language | null;
  admin_id: number | null;
  admin_name: string | null;
  admin_level: string | null;
  admin_roles: string[] | null;
  /** Whether the administrator must set up a second factor first. */
  needs_totp: boolean;
  /** Whether this use must be recorded. */
  due: boolean;
  expires_at: string;
}

/** SQL: the last recorded use is five minutes old, or one minute if another session of the user was used since. */
const USE_IS_DUE = `coalesce(t.last_used_at <= n.at - interval '5 minutes', true)
  or t.last_used_at <= n.at - interval '1 minute' and exists (
    select from token o where o.account_id = t.account_id and o.name is null and coalesce(o.last_used_at, o.created_at) > t.last_used_at)`;

const NEEDS_TOTP = `d.id is not null and exists (select from setting where name = 'require_admin_totp' and value = 1)
  and not exists (select from admin_totp f where f.admin_id = d.id and f.confirmed_at is not null)`;

const FIND_TOKENS = `select t.id, t.hash, u.id as user_id, u.platform, d.id as admin_id, d.name as admin_name, d.level as admin_level,
       d.roles as admin_roles,
       coalesce(u.language, d.language) as language, ${NEEDS_TOTP} as needs_totp, ${USE_IS_DUE} as due, n.at + n.idle as expires_at
     from token t
       cross join lateral (select app_now() as at, (case when t.admin_id is null then $2 else $3 end)::interval as idle) n
       left join account u on u.id = t.account_id and u.status = 'active' and u.deleted_at is null
       left join admin d on d.id = t.admin_id and d.status = 'active'
     where t.id = any($1::bigint[]) and coalesce(t.last_used_at, t.created_at) > n.at - n.idle`;

/** The tokens that have not expired, with their holders if active. */
export const findTokens = (reader: Reader, ids: number[], idle: { user: string; admin: string }) =>
  rows<StoredToken>(reader, FIND_TOKENS, [ids, idle.user, idle.admin]);

const MARK_USED = `with used as (
    update token set last_used_at = app_now()
    where id in (select id from token where id = any($1::bigint[]) order by id for update)
      and coalesce(last_used_at <= app_now() - interval '1 minute', true)
    returning account_id)
  insert into presence (account_id, seen_at)
  select account_id, app_now()
  from (select distinct account_id from used where account_id is not null order by account_id) u
  on conflict (account_id) do update set seen_at = greatest(presence.seen_at, excluded.seen_at)`;

/** Records uses of tokens; skips tokens whose use was recorded within the last minute. */
export const markUsed = (tx: Tx, ids: number[]) => rows(tx, MARK_USED, [ids]);

export interface NewToken {
  userId: number;
  hash: Buffer;
  deviceKey?: string | undefined;
  deviceName?: string | undefined;
  name?: string;
  passwordHash?: string | null | undefined;
  phoneKey?: string | null;
  client?: RequestInfo;
}

const INSERT_USER_TOKEN = `insert into token (account_id, hash, name, device_key, user_agent, address, device_name)
    select a.id, $2, $3, $4, $6, $7, $8 from account a
    where a.id = $1 and a.status = 'active' and a.deleted_at is null
      and ($5::text is null or ${isSamePasswordSql('a.password_hash', '$5')}) and ($9::text is null or a.phone_key = $9)
    for no key update of a
    returning id, created_at`;

/**
 * Inserts a token; undefined unless the user may log in and still has the given password hash and number, if any. The
 * row lock orders this with a concurrent ban, reset, change of number or deletion. It is exclusive, so that a user's
 * logins run one after the other, and because storing a device key updates the same row.
 */
export async function insertUserToken(tx: Tx, token: NewToken) {
  const { userId, hash, name = null, deviceKey = null, passwordHash = null, phoneKey = null } = token;
  const { client, deviceName = null } = token;
  const madeBy = [client?.userAgent.slice(0, MAX_USER_AGENT) ?? '', client?.clientAddress ?? '', deviceName];
  const values = [userId, hash, name, deviceKey, passwordHash, ...madeBy, phoneKey];
  return row<{ id: number; created_at: string }>(tx, INSERT_USER_TOKEN, values);
}

const DELETE_SURPLUS = `delete from token where id in (
      select id from token where account_id = $1 and name is null and id <> $2
      order by coalesce(last_used_at, created_at) desc, id desc offset $3)
    returning id, device_key`;

/** Removes the user's logins unused for longest, so that `keep` are left, including the new one. */
export const deleteSurplus = (tx: Tx, userId: number, newId: number, keep: number) =>
  rows<RemovedToken>(tx, DELETE_SURPLUS, [userId, newId, keep - 1]);

const INSERT_ADMIN_TOKEN = `with login as (
    update admin set last_login_at = app_now()
    where id = $1 and status = 'active' and ${isSamePasswordSql('password_hash', '$3')} returning id)
  insert into token (admin_id, hash) select id, $2 from login returning id`;

/** Undefined when the administrator may not log in (any more), or the password has changed since. */
export const insertAdminToken = (tx: Tx, token: { adminId: number; hash: Buffer; passwordHash: string }) =>
  row<{ id: number }>(tx, INSERT_ADMIN_TOKEN, [token.adminId, token.hash, token.passwordHash]);

const ADMIN_TOKENS = `select id, admin_id from token
  where admin_id is not null and ($1::bigint is null or admin_id = $1) order by id`;

/** The tokens of one administrator, or of all administrators. */
export const adminTokens = (reader: Reader, adminId?: number) =>
  rows<{ id: number; admin_id: number }>(reader, ADMIN_TOKENS, [adminId ?? null]);

export interface RemovedToken {
  id: number;
  device_key: string | null;
}

/** Owner of tokens: a user or an administrator. */
export type Holder = Pick<UserCaller | AdminCaller, 'kind' | 'id'>;

/** Selects tokens of a holder that fulfil all given conditions. `only`, `except`: ids. */
export interface TokenFilter {
  kind?: 'login' | 'api';
  only?: number;
  except?: number;
}

export const deleteTokens = (tx: Tx, holder: Holder, { kind, only, except }: TokenFilter) =>
  rows<RemovedToken>(
    tx,
    `delete from token where ${holder.kind === 'user' ? 'account_id' : 'admin_id'} = $1 and ($2::bigint is null or id = $2)
       and ($3::bigint is null or id <> $3) and ($4::text is null or ($4 = 'login') = (name is null))
     returning id, device_key`,
    [holder.id, only ?? null, except ?? null, kind ?? null],
  );

/** Removes up to `limit` tokens of users or administrators unused for the interval `idle`, oldest use first. */
export const deleteIdle = (tx: Tx, kind: 'account' | 'admin', idle: string, limit: number) =>
  rows<{ account_id: number | null; device_key: string | null }>(
    tx,
    `delete from token where id = any(array(
       select id from token where ${kind}_id is not null and coalesce(last_used_at, created_at) < (select app_now()) - $1::interval
       order by coalesce(last_used_at, created_at) for update skip locked limit $2))
     returning account_id, device_key`,
    [idle, limit],
  );

/** Serialises logins with the same device key, so that each sees the key's current holder. */
export const lockDevice = (tx: Tx, deviceKey: string) =>
  rows(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [deviceKey]);

const RELEASE_DEVICE = 'update token set device_key = null where device_key = $1 and id <> $2 returning account_id';

/** A device belongs to its last login: removes the key from every other token. Returns the users of these tokens. */
export const releaseDevice = (tx: Tx, deviceKey: string, exceptToken: number) =>
  column<number>(tx, RELEASE_DEVICE, [deviceKey, exceptToken]);

const SET_DEVICE = `update token set device_key = $3
  where account_id = $1 and id = $2 and name is null and device_key is distinct from $3 returning id`;

/** False when nothing changed: the session has this key already, or is not a login of the user. */
export const setDevice = (tx: Tx, userId: number, id: number, deviceKey: string | null) =>
  exists(tx, SET_DEVICE, [userId, id, deviceKey]);

/** Stores the user's language. Returns whether it changed. */
export const setLanguage = (tx: Tx, userId: number, language: Language): Promise<boolean> =>
  exists(tx, 'update account set language = $2 where id = $1 and language <> $2 returning id', [userId, language]);

export const setAdminLanguage = (tx: Tx, adminId: number, language: Language) =>
  rows(tx, 'update admin set language = $2 where id = $1 and language <> $2', [adminId, language]);

/** SQL: columns of an account `a`. */
const DEVICES = `a.devices_version as version, a.language,
  coalesce((select array_agg(distinct t.device_key) from token t
    where t.account_id = a.id and t.device_key is not null), '{}') as device_keys`;
type Devices = { version: number; device_keys: string[]; language: Language };

const TOUCH_DEVICES = `update account a set devices_version = devices_version + 1 where a.id = $1 returning ${DEVICES}`;

/** Raises the version of a user's device keys. Returns the keys and the user's language. */
export const touchDevices = (tx: Tx, userId: number) => row<Devices>(tx, TOUCH_DEVICES, [userId]);

const ALL_DEVICES = `select a.id as user_id, ${DEVICES}
  from account a where a.id > $1 and (a.devices_version > 0 or a.language <> '${DEFAULT_LANGUAGE}') order by a.id limit $2`;

/** Device keys and language of every user who ever had a key or has another language, in the order of the ids. */
export const allDevices = (reader: Reader) => inPages<Devices & { user_id: number }>(reader, ALL_DEVICES, 'user_id', 0);

const API_TOKENS =
  'select id, name, last_used_at, created_at from token where account_id = $1 and name is not null order by id desc';

export const apiTokens = (reader: Reader, userId: number) => rows<ApiToken>(reader, API_TOKENS, [userId]);

/** Locks the user's row. A separate statement, so that the next one sees tokens committed while this one waited. */
export const lockHolder = (tx: Tx, userId: number) =>
  rows(tx, 'select from account where id = $1 for no key update', [userId]);

export const tokenExists = (reader: Reader, userId: number, id: number) =>
  exists(reader, 'select 1 from token where account_id = $1 and id = $2', [userId, id]);

const SESSIONS_OF = `select id, device_name, address, user_agent, device_key is not null as push, id = $2 as current,
    case when id = $2 then app_now() else coalesce(last_used_at, created_at) end as last_used_at, created_at
  from token where account_id = $1 and name is null order by current desc, last_used_at desc, id desc`;

/** The user's logins, last used first. The current one is always first, because not every use is recorded. */
export const sessionsOf = (reader: Reader, userId: number, currentId: number) =>
  rows<Session>(reader, SESSIONS_OF, [userId, currentId]);
