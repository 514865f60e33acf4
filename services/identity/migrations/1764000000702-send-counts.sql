-- How many codes go out, counted where all replicas see it.

create table send_count (
  key text primary key,
  hour_sends int not null default 0,
  hour_since timestamptz not null default app_now(),
  day_sends int not null default 0,
  day_since timestamptz not null default app_now()
);
comment on column send_count.key is 'A recipient (hashed), a client network, or all together.';
create index send_count_day on send_count (day_since);

-- The network of who asked; unknown from replicas of the release before.
alter table code_request add column network text;
