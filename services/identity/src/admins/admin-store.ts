import { exists, insert, row, rows, update, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Admin, AdminAccess } from './admin.ts';

const ADMIN = `id, name, email, phone_number, status, level, email_key, password_hash, language, version, created_at,
  updated_at`;
const HAS_TOTP = 'exists (select from admin_totp f where f.admin_id = admin.id and f.confirmed_at is not null)';

/** All administrators; `totp` says whether the second factor is on. */
export const listAdmins = (reader: Reader) =>
  rows<Admin & { totp: boolean }>(reader, `select ${ADMIN}, ${HAS_TOTP} as totp from admin order by id`);

const LIST_ACCESS = `select id, last_login_at, ${HAS_TOTP} as totp,
    (select count(*) from token t
     where t.admin_id = admin.id and coalesce(t.last_used_at, t.created_at) > app_now() - $1::interval) as sessions
  from admin order by id`;

/** Last login, second factor and live sessions per administrator. `idle`: the SQL interval after which tokens expire. */
export const listAccess = (reader: Reader, idle: string) => rows<AdminAccess>(reader, LIST_ACCESS, [idle]);

export const findAdmin = (reader: Reader, id: number) =>
  row<Admin>(reader, `select ${ADMIN} from admin where id = $1`, [id]);

export const adminByEmail = (reader: Reader, emailKey: string) =>
  row<Admin>(reader, `select ${ADMIN} from admin where email_key = $1`, [emailKey]);
export const lockAdmin = (tx: Tx, id: number) =>
  row<Admin>(tx, `select ${ADMIN} from admin where id = $1 for update`, [id]);

export type NewColumns = Pick<Admin, 'name' | 'email' | 'phone_number' | 'level' | 'password_hash'>;

/** Undefined when the e-mail is taken. */
export const insertAdmin = (tx: Tx, admin: NewColumns & Pick<Admin, 'email_key'>) =>
  insert<Admin>(tx, 'admin', admin, `on conflict (email_key) do nothing returning ${ADMIN}`);

/** Locks the admin and every super administrator, in ascending order. */
export const lockAdmins = (tx: Tx, id: number) =>
  rows<Admin>(tx, `select ${ADMIN} from admin where id = $1 or level = 'su' order by id for update`, [id]);

type Columns = NewColumns & Pick<Admin, 'email_key' | 'status'>;
export type AdminColumns = { [Column in keyof Columns]?: Columns[Column] | undefined };

/** Changes the given columns. A taken e-mail violates `admin_email_key_key`. */
export const updateAdmin = (tx: Tx, id: number, change: AdminColumns) =>
  update<Admin>(tx, 'admin', { id, returning: ADMIN }, change);

/** Lets one replica at a time create the first administrator. */
export const lockSeeding = (tx: Tx) => rows(tx, 'select pg_advisory_xact_lock(7301948)');

export const hasSuper = (reader: Reader) => exists(reader, `select 1 from admin where level = 'su'`);
