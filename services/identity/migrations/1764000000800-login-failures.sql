-- Failed logins, counted per account and client network, per account over all networks (network '') and per address
-- (account ''). Replicas of the release before count in lockout, for themselves.
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
