-- Who banned a person, when and why: shown to administrators while the ban lasts.
create table account_ban (
  account_id bigint primary key references account on delete cascade,
  admin_id bigint not null,
  admin_name text not null,
  reason text not null default '',
  banned_at timestamptz not null default app_now()
);

-- Bans from before this table, as far as the audit log still has them.
insert into account_ban (account_id, admin_id, admin_name, reason, banned_at)
select distinct on (a.id) a.id, u.admin_id, u.admin_name, coalesce(u.after ->> 'reason', ''), u.created_at
from account a join audit u on u.subject = 'user:' || a.id
where a.status = 'banned' and a.deleted_at is null and u.after ->> 'status' = 'banned'
  and u.before ->> 'status' is distinct from 'banned'
order by a.id, u.id desc;
