import { saveNewerSet } from '@tutoring/shared/database/copies';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { inPages } from '@tutoring/shared/database/pages';
import type { Language } from '@tutoring/shared/process/language';
import { row, rows } from '@tutoring/shared/database/sql';
import type { Login, Method, Platform, User } from './user.ts';

const SKILLS = `coalesce((select array_agg(s.name order by k.position) from account_skill k join skill s on s.id = k.skill_id
    where k.account_id = a.id), '{}')`;

const USER_COLUMNS = `a.id, a.platform, a.gauth_type, a.status, a.name, a.email, a.phone_number, a.photo, a.address, a.city,
    a.country, a.about_me, a.level_study, a.subjects_interest, a.plan_id, ${SKILLS} as domains, a.experience, a.availability,
    a.bio, a.verified, a.email_key is not null as email_proven, a.deleted_at is not null as deleted, a.version, b.available, a.created_at, a.updated_at`;

const FROM_ACCOUNT = 'from account a left join balance_copy b on b.user_id = a.id';

export const USER = `select ${USER_COLUMNS} ${FROM_ACCOUNT}`;

/** The user, deleted ones included. */
export const findUser = (reader: Reader, id: number) => row<User>(reader, `${USER} where a.id = $1`, [id]);

/** The user, unless deleted. */
export const findLivingUser = (reader: Reader, id: number) =>
  row<User>(reader, `${USER} where a.id = $1 and a.deleted_at is null`, [id]);

/** Every user, deleted ones included, by id. */
export const allUsers = (reader: Reader) =>
  inPages<User>(reader, `${USER} where a.id > $1 order by a.id limit $2`, 'id', 0);

const LOGIN = `select id, platform, gauth_type, status, name, email, email_key, phone_number, phone_key, password_hash, language
  from account where deleted_at is null`;

export const loginById = (reader: Reader, id: number) => row<Login>(reader, `${LOGIN} and id = $1`, [id]);
/** By an e-mail that is proven. */
export const loginByEmail = (reader: Reader, emailKey: string) =>
  row<Login>(reader, `${LOGIN} and email_key = $1`, [emailKey]);

/** The account of an e-mail, with the user from the same row. */
export async function loginAndUser(
  reader: Reader,
  emailKey: string,
): Promise<{ account: Login; user: User } | undefined> {
  const found = await row<User & Pick<Login, 'email_key' | 'phone_key' | 'password_hash' | 'language'>>(
    reader,
    `select ${USER_COLUMNS}, a.email_key, a.phone_key, a.password_hash, a.language ${FROM_ACCOUNT}
     where a.deleted_at is null and a.email_key = $1`,
    [emailKey],
  );
  if (!found) return undefined;
  const { email_key, phone_key, password_hash, language, ...user } = found;
  return { user, account: { ...user, email_key, phone_key, password_hash, language } };
}

export const loginByPhone = (reader: Reader, phoneKey: string) =>
  row<Login>(reader, `${LOGIN} and phone_key = $1 and gauth_type = 'phone_number'`, [phoneKey]);

export const emailTaken = async (reader: Reader, emailKey: string) =>
  (await loginByEmail(reader, emailKey)) !== undefined;
export const loginPhoneTaken = async (reader: Reader, phoneKey: string) =>
  (await loginByPhone(reader, phoneKey)) !== undefined;

/** Locks the accounts, in ascending order. */
export const lockAccounts = (tx: Tx, ids: number[]) =>
  rows(tx, 'select id from account where id = any($1::bigint[]) order by id for update', [ids]);

/** Updates the search columns and raises the version, before `user.changed` is published. Returns the users. */
export async function touchUsers(tx: Tx, ids: number[]): Promise<User[]> {
  await rows(
    tx,
    `update account a set version = version + 1, updated_at = app_now(),
       find = normalised(a.name || ' ' || a.email || ' ' || a.phone_number),
       search = case when a.platform = 'teacher' and a.deleted_at is null
         then ' ' || normalised(a.name || ' ' || array_to_string(${SKILLS}, ' ') || ' ' || coalesce(a.bio, '')) else '' end,
       tags = case when a.platform = 'teacher' and a.deleted_at is null
         then array(select k.skill_id from account_skill k where k.account_id = a.id) || coalesce(array[-a.plan_id], '{}')
         else '{}' end
     where a.id = any($1::bigint[])`,
    [ids],
  );
  await rows(
    tx,
    `update directory_version set version = version + 1
     where shard in (select a.id % 16 from account a where a.id = any($1::bigint[]) and a.platform = 'teacher')`,
    [ids],
  );
  return rows<User>(tx, `${USER} where a.id = any($1::bigint[]) order by a.id`, [ids]);
}

/** Replaces the account's skills; ignores ids of skills that do not exist (any more). */
export async function setSkills(tx: Tx, id: number, skillIds: number[]): Promise<void> {
  await rows(tx, 'delete from account_skill where account_id = $1', [id]);
  await rows(
    tx,
    `insert into account_skill (account_id, skill_id, position)
     select $1, s.id, min(w.position) from unnest($2::bigint[]) with ordinality as w(id, position) join skill s on s.id = w.id
     group by s.id`,
    [id, skillIds],
  );
}

export interface NewAccount {
  id: number;
  platform: Platform;
  gauth_type: Method;
  name: string;
  email: string;
  email_key: string | null;
  phone_number: string;
  phone_key: string | null;
  password_hash: string | null;
  photo: string;
  address: string;
  city: string;
  country: string;
  about_me: string;
  level_study: string | null;
  subjects_interest: string;
  plan_id: number | null;
  experience: number;
  availability: string;
  bio: string | null;
  language: Language;
}

const COLUMNS = [
  'id',
  'platform',
  'gauth_type',
  'name',
  'email',
  'email_key',
  'phone_number',
  'phone_key',
  'password_hash',
  'photo',
  'address',
  'city',
  'country',
  'about_me',
  'level_study',
  'subjects_interest',
  'plan_id',
  'experience',
  'availability',
  'bio',
  'language',
] as const satisfies (keyof NewAccount)[];

/** Violates `account_email` or `account_login_phone` when the address has been taken meanwhile. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  const places = COLUMNS.map((_, index) => `$${index + 1}`).join(', ');
  const values = COLUMNS.map((column) => account[column]);
  await rows(tx, `insert into account (${COLUMNS.join(', ')}) values (${places})`, values);
}

export type ProfileFields = Partial<Omit<NewAccount, 'id' | 'platform' | 'gauth_type' | 'password_hash' | 'language'>>;

/** Sets the given columns. Violates `account_email` or `account_login_phone` when the address is taken. */
export async function updateAccount(tx: Tx, id: number, fields: ProfileFields): Promise<void> {
  const given = COLUMNS.filter((column) => column in fields);
  if (given.length === 0) return;
  const sets = given.map((column, index) => `${column} = $${index + 2}`).join(', ');
  const values = given.map((column) => fields[column as keyof ProfileFields]);
  await rows(tx, `update account set ${sets} where id = $1`, [id, ...values]);
}

export const setPassword = (tx: Tx, id: number, hash: string) =>
  rows(tx, 'update account set password_hash = $2 where id = $1', [id, hash]);

export const setStanding = (tx: Tx, id: number, change: { status?: string; verified?: boolean }) =>
  rows(tx, 'update account set status = coalesce($2, status), verified = coalesce($3, verified) where id = $1', [
    id,
    change.status ?? null,
    change.verified ?? null,
  ]);

const SAVE_BALANCES = saveNewerSet('balance_copy', ['user_id'], ['user_id', 'available', 'version']);

/** Stores balances of different users from wallet; older versions are ignored. */
export const saveBalances = (tx: Tx, balances: { user_id: number; available: number; version: number }[]) =>
  rows(tx, SAVE_BALANCES, [JSON.stringify(balances)]);

const COUNT_CALLS = `
  with fresh as (
    insert into accepted_call (identifier, teacher_id) select * from unnest($1::text[], $2::bigint[])
    on conflict do nothing returning teacher_id)
  insert into call_count as c (teacher_id, calls)
  select teacher_id, count(*) from fresh group by teacher_id order by teacher_id
  on conflict (teacher_id) do update set calls = c.calls + excluded.calls`;

/** Counts different accepted calls of teachers, each once. */
export async function countCalls(tx: Tx, calls: { identifier: string; teacher_id: number }[]): Promise<void> {
  if (calls.length === 0) return;
  await rows(tx, COUNT_CALLS, [calls.map(({ identifier }) => identifier), calls.map((call) => call.teacher_id)]);
}

/** Takes up to `limit` accounts with a renamed skill, locked in ascending order. */
export const takeStale = async (tx: Tx, limit: number) =>
  (
    await rows<{ account_id: number }>(
      tx,
      `delete from stale_account where account_id in
         (select account_id from stale_account order by account_id for update skip locked limit $1) returning account_id`,
      [limit],
    )
  )
    .map((found) => found.account_id)
    .sort((a, b) => a - b);
