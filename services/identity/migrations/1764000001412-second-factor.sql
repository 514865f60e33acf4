-- The second factor of administrators: codes of an authenticator app (RFC 6238), and recovery codes.

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
