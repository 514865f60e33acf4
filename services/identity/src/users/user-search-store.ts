import type { Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { User } from './user.ts';
import { USER } from './user-store.ts';

export interface UserFilter {
  filter_value?: string | undefined;
  status?: string | undefined;
  platform?: string | undefined;
  verified?: boolean | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const FILTER = `a.deleted_at is null
  and ($1::text is null or a.find like '%' || nullif(normalised($1), '') || '%'
    or phone_digits(a.phone_number) like '%' || phone_digits($1) || '%' or ($1 ~ '^\\d{1,15}$' and a.id::text = $1))
  and ($2::text is null or a.status = $2) and ($3::text is null or a.platform = $3)
  and ($4::boolean is null or a.verified = $4)
  and ($5::date is null or a.created_at >= $5::date) and ($6::date is null or a.created_at < $6::date + 1)`;

const values = (filter: UserFilter) =>
  [filter.filter_value, filter.status, filter.platform, filter.verified, filter.from, filter.to].map(
    (value) => value ?? null,
  );

export const listUsers = (reader: Reader, filter: UserFilter, window: { limit: number; offset: number }) =>
  rows<User>(reader, `${USER} where ${FILTER} order by a.id desc limit $7 offset $8`, [
    ...values(filter),
    window.limit,
    window.offset,
  ]);

export const countUsers = async (reader: Reader, filter: UserFilter) =>
  (await row<{ total: number }>(reader, `select count(*) as total from account a where ${FILTER}`, values(filter)))!
    .total;
