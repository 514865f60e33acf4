-- Wrong tries of a code count per client network, so that a stranger's do not void the owner's code. The counters in
-- `code`, and try_code, are for replicas of the release before; drop them when none is left.

create table code_try (
  purpose text not null,
  subject text not null,
  network text not null,
  tries int not null,
  tries_since timestamptz not null,
  day_tries int not null,
  day_since timestamptz not null,
  primary key (purpose, subject, network)
);
comment on column code_try.network is 'The /24 of an IPv4 address, the /48 of an IPv6 address; empty: all networks together.';
comment on column code_try.tries is 'Within ten minutes from tries_since; day_tries: within a day from day_since.';
create index code_try_day on code_try (day_since);
