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
