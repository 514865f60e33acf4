-- Administrators, their second factor, and the tokens of everybody.

create table admin (
  id bigint primary key default nextval('person_id'),
  name text not null,
  email text not null,
  email_key text not null unique,
  phone_number text,
  password_hash text not null,
  language text not null default 'en' check (language in ('en', 'fr')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  level text not null default 'default',
  last_login_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);

-- Codes of an authenticator app (RFC 6238), and recovery codes.
create table admin_totp (
  admin_id bigint primary key references admin,
  key_id text not null,
  sealed bytea not null,
  used_steps bigint[] not null default '{}',
  confirmed_at timestamptz,
  created_at timestamptz not null default app_now()
);
comment on column admin_totp.sealed is 'The shared secret by AES-256-GCM with the key `key_id`, which the database does not hold.';
comment on column admin_totp.used_steps is 'Steps of 30 seconds whose code was used and could still come again.';
comment on column admin_totp.confirmed_at is 'Before, it does not count.';

create table admin_recovery_code (
  admin_id bigint not null references admin_totp on delete cascade,
  hash bytea not null,
  primary key (admin_id, hash)
);
comment on table admin_recovery_code is 'SHA-256 of 80 random bits; a code that was used is gone.';

create table token (
  id bigint generated always as identity primary key,
  account_id bigint references account,
  admin_id bigint references admin,
  hash bytea not null,
  name text,
  device_key text,
  user_agent text not null default '',
  device_name text,
  address text not null default '',
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz,
  check (num_nonnulls(account_id, admin_id) = 1)
);
comment on column token.name is 'Given to an API token that its owner made; null for a login.';
comment on column token.device_name is 'What the app calls the device of a login; null where it says nothing.';
create index token_account on token (account_id) where account_id is not null;
create index token_admin on token (admin_id) where admin_id is not null;
create index token_device on token (device_key) where device_key is not null;
create index token_idle_user on token (coalesce(last_used_at, created_at)) where account_id is not null;
create index token_idle_admin on token (coalesce(last_used_at, created_at)) where admin_id is not null;

-- A provider's token registers once and logs in once, whichever replica gets it.
create table spent_token (
  hash bytea not null,
  use text not null check (use in ('registration', 'login')),
  expires_at timestamptz not null default app_now() + interval '1 hour',
  primary key (hash, use)
);
comment on column spent_token.hash is 'SHA-256 of what the provider signed: the token without its signature.';
comment on column spent_token.expires_at is 'Long after the token itself is too old to be accepted.';
create index spent_token_expires on spent_token (expires_at);

create table reset_grant (
  account_id bigint primary key references account on delete cascade,
  token_hash bytea not null,
  client_address text not null,
  user_agent text not null,
  expires_at timestamptz not null
);
create index reset_grant_expires on reset_grant (expires_at);

-- Failed logins, counted per account and client network, per account over all networks (network '') and per address
-- (account '').
create table login_failure (
  account text not null,
  network text not null,
  failures int not null default 0,
  under_way int not null default 0,
  since timestamptz not null default app_now(),
  locks int not null default 0,
  locked_until timestamptz,
  touched_at timestamptz not null default app_now(),
  primary key (account, network)
);
comment on column login_failure.under_way is 'Attempts that have begun and not ended: they count as failed. Those of a crash go with the window.';
create index login_failure_touched on login_failure (touched_at);

create table login_network (
  person_id bigint not null,
  network text not null,
  last_login_at timestamptz not null default app_now(),
  primary key (person_id, network)
);
comment on table login_network is 'Client networks that a user or administrator has logged in from in the last 30 days.';
create index login_network_last on login_network (last_login_at);
