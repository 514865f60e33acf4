-- Roles of administrators, and invitations. Administrators from before have the role `all`.
alter table admin add column roles text[] not null default '{all}' check (cardinality(roles) > 0);
comment on column admin.roles is 'Of level default: the rights of the administrator are the union of the rights of these roles.';

create table admin_invitation (
  id bigint generated always as identity primary key,
  email text not null,
  email_key text not null,
  name text not null,
  roles text[] not null check (cardinality(roles) > 0),
  status text not null default 'open' check (status in ('open', 'accepted', 'expired', 'withdrawn')),
  token_hash bytea not null unique,
  inviter_id bigint not null,
  inviter_name text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
comment on column admin_invitation.status is 'An open invitation whose time is over counts as expired.';
comment on column admin_invitation.token_hash is 'SHA-256 of 256 random bits; a resend replaces it.';
create unique index admin_invitation_open on admin_invitation (email_key) where status = 'open';
