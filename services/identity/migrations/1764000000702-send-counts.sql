-- How many messages were sent, counted for all replicas together.

create table send_count (
  key text primary key,
  hour_sends int not null default 0,
  hour_since timestamptz not null default app_now(),
  day_sends int not null default 0,
  day_since timestamptz not null default app_now()
);
comment on column send_count.key is 'A recipient (hashed), a client network, or all together.';
create index send_count_day on send_count (day_since);

-- The requester's network; unknown from replicas of the previous release.
alter table code_request add column network text;
