import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { createListing } from '@tutoring/shared/kit/database/listing';
import { inPages } from '@tutoring/shared/kit/database/pages';
import {
  assignments,
  column,
  dynamic,
  exists,
  insert,
  row,
  rows,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import { searchCondition } from '../search-store.ts';
import type { Login, User, UserFilter } from './user.ts';

const SKILLS = `coalesce((select array_agg(s.name order by k.position) from account_skill k join skill s on s.id = k.skill_id
    where k.account_id = a.id), '{}')`;

const USER_COLUMNS = `a.id, a.platform, a.gauth_type, a.status, a.name, a.email, a.phone_number, a.photo, a.address, a.city,
    a.country, a.about_me, a.level_study, a.subjects_interest, a.plan_id, ${SKILLS} as domains, a.experience, a.availability,
    a.bio, a.verified, a.email_key is not null as email_proven, a.deleted_at is not null as deleted, a.version, b.available, a.created_at, a.updated_at`;

const FROM_ACCOUNT = 'from account a left join balance_copy b on b.user_id = a.id';

const USER = `select ${USER_COLUMNS} ${FROM_ACCOUNT}`;

/** The user, also when deleted. */
export const findUser = (reader: Reader, id: number) => row<User>(reader, `${USER} where a.id = $1`, [id]);

const FIND_LIVING = `${USER} where a.id = $1 and a.deleted_at is null`;

/** The user, unless deleted. */
export const findLivingUser = (reader: Reader, id: number) => row<User>(reader, FIND_LIVING, [id]);

/** Every user, including deleted ones, in the order of the ids. */
export const allUsers = (reader: Reader) =>
  inPages<User>(reader, `${USER} where a.id > $1 order by a.id limit $2`, 'id', 0);

const LOGIN = `select id, platform, gauth_type, status, name, email, email_key, phone_number, phone_key, password_hash, language, verified
  from account where deleted_at is null`;

export const loginById = (reader: Reader, id: number) => row<Login>(reader, `${LOGIN} and id = $1`, [id]);

export const lockLogin = (tx: Tx, id: number) => row<Login>(tx, `${LOGIN} and id = $1 for update`, [id]);
/** The account with this proven e-mail. */
export const loginByEmail = (reader: Reader, emailKey: string) =>
  row<Login>(reader, `${LOGIN} and email_key = $1`, [emailKey]);

const LOGIN_AND_USER = `select ${USER_COLUMNS}, a.email_key, a.phone_key, a.password_hash, a.language ${FROM_ACCOUNT}
    where a.deleted_at is null and a.email_key = $1`;

/** The account with this proven e-mail, with the columns of its views. */
export const loginAndUser = (reader: Reader, emailKey: string) => row<User & Login>(reader, LOGIN_AND_USER, [emailKey]);

export const loginByPhone = (reader: Reader, phoneKey: string) =>
  row<Login>(reader, `${LOGIN} and phone_key = $1 and gauth_type = 'phone_number'`, [phoneKey]);

/** Locks the accounts, in ascending order. */
export const lockAccounts = (tx: Tx, ids: number[]) =>
  rows(tx, 'select id from account where id = any($1::bigint[]) order by id for update', [ids]);

const RAISE_DIRECTORY_VERSION = `update directory_version set version = version + 1
  where shard in (select a.id % 16 from account a where a.id = any($1::bigint[]) and a.platform = 'teacher')`;

/** Raises the version of the list of teachers, which may have changed with these accounts. */
export const raiseDirectoryVersion = (tx: Tx, ids: number[]) => rows(tx, RAISE_DIRECTORY_VERSION, [ids]);

const TOUCH_USERS = `update account a set version = version + 1, updated_at = app_now(),
    find = normalised(a.name || ' ' || a.email || ' ' || a.phone_number),
    search = case when a.platform = 'teacher' and a.deleted_at is null
      then ' ' || normalised(a.name || ' ' || array_to_string(${SKILLS}, ' ') || ' ' || coalesce(a.bio, ''))
      else '' end,
    tags = case when a.platform = 'teacher' and a.deleted_at is null
      then array(select k.skill_id from account_skill k where k.account_id = a.id) || coalesce(array[-a.plan_id], '{}')
      else '{}' end
  where a.id = any($1::bigint[])`;

/** Updates the search columns and raises the version, before `user.changed` is published. Returns the users. */
export async function touchUsers(tx: Tx, ids: number[]): Promise<User[]> {
  await rows(tx, TOUCH_USERS, [ids]);
  await raiseDirectoryVersion(tx, ids);
  return rows<User>(tx, `${USER} where a.id = any($1::bigint[]) order by a.id`, [ids]);
}

const SET_SKILLS = `insert into account_skill (account_id, skill_id, position)
  select $1, s.id, min(w.position)
  from unnest($2::bigint[]) with ordinality as w(id, position) join skill s on s.id = w.id
  group by s.id`;

const SKILL_IDS = 'select skill_id from account_skill where account_id = $1 order by position';

/** Replaces the account's skills; ignores unknown ids. Returns whether the skills changed. */
export async function setSkills(tx: Tx, id: number, skillIds: number[]): Promise<boolean> {
  const before = await column<number>(tx, SKILL_IDS, [id]);
  await rows(tx, 'delete from account_skill where account_id = $1', [id]);
  await rows(tx, SET_SKILLS, [id, skillIds]);
  return String(before) !== String(await column<number>(tx, SKILL_IDS, [id]));
}

export type NewAccount = Omit<
  User & Login,
  'status' | 'domains' | 'verified' | 'email_proven' | 'deleted' | 'version' | 'available' | 'created_at' | 'updated_at'
>;

/** Violates `account_email` or `account_login_phone` when the address is taken. */
export const insertAccount = (tx: Tx, account: NewAccount) => insert(tx, 'account', account);

type Columns = Omit<NewAccount, 'id' | 'platform' | 'gauth_type' | 'language'> & Pick<User, 'status' | 'verified'>;
export type AccountChange = { [Column in keyof Columns]?: Columns[Column] | undefined };

/**
 * Sets the given columns. Returns whether a value changed. Violates `account_email` or `account_login_phone` when the
 * address is taken.
 */
export async function updateAccount(tx: Tx, id: number, change: AccountChange): Promise<boolean> {
  const { sets, values } = assignments(change, 2);
  if (sets.length === 0) return false;
  const differs = sets.map((set) => set.replace(' = ', ' is distinct from ')).join(' or ');
  const sql = dynamic(`update account set ${sets.join(', ')} where id = $1 and (${differs}) returning id`);
  return exists(tx, sql, [id, ...values]);
}

const SAVE_BALANCES = upsertNewerSql('balance_copy', ['user_id'], ['user_id', 'available', 'version']);

/** Stores balances of different users from wallet; ignores older versions. */
export const saveBalances = (tx: Tx, balances: { user_id: number; available: number; version: number }[]) =>
  rows(tx, SAVE_BALANCES, [JSON.stringify(balances)]);

const COUNT_CALLS = `
  with new_calls as (
    insert into accepted_call (identifier, teacher_id) select * from unnest($1::text[], $2::bigint[])
    on conflict do nothing returning teacher_id)
  insert into call_count as c (teacher_id, calls)
  select teacher_id, count(*) from new_calls group by teacher_id order by teacher_id
  on conflict (teacher_id) do update set calls = c.calls + excluded.calls`;

/** Counts accepted calls per teacher; ignores calls that were counted before. The calls must be different. */
export async function countCalls(tx: Tx, calls: { identifier: string; teacher_id: number }[]): Promise<void> {
  if (calls.length === 0) return;
  await rows(tx, COUNT_CALLS, [calls.map(({ identifier }) => identifier), calls.map((call) => call.teacher_id)]);
}

const TAKE_STALE = `delete from stale_account where account_id in
  (select account_id from stale_account order by account_id for update skip locked limit $1) returning account_id`;

/** Dequeues up to `limit` accounts whose skill was renamed, in ascending order. */
export const takeStale = async (tx: Tx, limit: number) =>
  (await column<number>(tx, TAKE_STALE, [limit])).sort((a, b) => a - b);

const SEARCH_COLUMNS = { table: 'account', text: 't.find', phone: 'phone_digits(t.phone_number)' };
/** For callers who may not see contact data. */
const SEARCH_NAMES = { table: 'account', text: 'normalised(t.name)' };

/** Pages of students and teachers with their total, newest first. */
export const createUserList = () =>
  createListing<User, UserFilter>({
    table: 'account',
    only: { rows: 't.deleted_at is null', tally: 'not t.deleted' },
    select: USER,
    key: 'a.id',
    tallied: ['status', 'platform', 'verified'],
    others: (filter, value, reader) =>
      searchCondition(reader, filter, value, filter.searchesContacts ? SEARCH_COLUMNS : SEARCH_NAMES),
    findsById: true,
  });
